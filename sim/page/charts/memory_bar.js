tofn.charts.memory_bar = tofn.barsChart(memoryChart);
