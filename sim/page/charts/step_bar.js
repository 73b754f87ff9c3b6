tofn.charts.step_bar = tofn.barsChart(stepChart);
