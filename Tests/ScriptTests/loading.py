"""The scripts of the repository as modules."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = REPOSITORY / "scripts"
# Where the scripts find their own modules.
sys.path.insert(0, str(SCRIPTS))


def script(name: str) -> ModuleType:
    """A script as a module. Scripts have no suffix."""
    loader = SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
