"""Results in notebooks: as HTML and text, as frames, as LaTeX and as pictures. `gistmeter.views` asks for these."""

from gistmeter.report.notebook.frames import make_frame, make_pandas
from gistmeter.report.notebook.pictures import Figure, draw_plot
from gistmeter.report.notebook.tables import show_html, write_latex
from gistmeter.report.notebook.texts import show_text

__all__ = ["Figure", "draw_plot", "make_frame", "make_pandas", "show_html", "show_text", "write_latex"]
