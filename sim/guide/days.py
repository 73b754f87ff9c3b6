"""Days and cost of a run by its number of accelerators, from Python."""
import csv
import io
import subprocess


def tofn(*words):
    """Rows of any command, a dictionary each; `pandas.read_csv(io.StringIO(text))` makes the text a frame."""
    text = subprocess.run(["build/tofn", *words, "--format", "csv"], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


for row in tofn("predict", "llama3-70b", "dgx-h100", "-N", "256..1024", "--tokens", "2T"):
    print(f"{row['accelerators']:>5} {float(row['days']):6.1f} days simulated, {float(row['cost_usd']) / 1e6:5.2f} million USD")
