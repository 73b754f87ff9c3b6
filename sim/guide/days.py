"""Days and cost of a run by its number of accelerators."""
import tofn

for run in tofn.predict("llama3-70b", "dgx-h100", accelerators="256..1024", tokens="2T"):
    print(f"{run['accelerators']:>5} {run['days']:6.1f} days simulated, {run['cost_usd'] / 1e6:5.2f} million USD")
