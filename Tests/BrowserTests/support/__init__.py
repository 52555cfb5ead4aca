import sys
from pathlib import Path

# Where the package `backline_test` is.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "PythonSupport"))
