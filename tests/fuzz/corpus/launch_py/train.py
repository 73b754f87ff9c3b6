from lib import base
SIZE = 2


class C:
    a: int = 1


def recipe(fast: bool = False, n=SIZE):
    c = base(1, name="x")
    if fast:
        c.a = 1
    elif n == 2:
        c.a = [1, -2, {"k": None}]
    for i in c:
        c.d = i
    c.e.f = 2 ** 10 * (n + 1)
    tune(c)
    return Config(c=c, **more)
