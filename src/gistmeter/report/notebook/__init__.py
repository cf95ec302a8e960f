"""Results in notebooks: as HTML, as frames, as LaTeX and as pictures. `gistmeter.views` asks for these."""

from gistmeter.report.notebook.frames import make_frame, make_pandas
from gistmeter.report.notebook.pictures import Figure, draw_plot
from gistmeter.report.notebook.tables import show_html, write_latex

__all__ = ["Figure", "draw_plot", "make_frame", "make_pandas", "show_html", "write_latex"]
