"""Pictures of answers, as SVG."""


class Drawing:
    """A picture as SVG: shown by notebooks, `str(drawing)` is its text."""

    __slots__ = ("svg",)

    def __init__(self, svg):
        self.svg = svg

    def __str__(self):
        return self.svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes an .svg file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)
