"""A separate Backline: a folder with a database, and processes on it."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from .processes import Program, run


class Installation:
    """A context manager. When it exits, its processes have ended and its folder is removed."""

    program_type: type[Program] = Program

    def __init__(
        self, environment: dict[str, str], products: Callable[[str], str | Path],
        inherit: Callable[[dict[str, str]], dict[str, str]], prefix: str, parent: Path | None = None,
    ):
        """`environment` has further settings of all processes. `products` finds an executable by its name, and
        `inherit` adds what they get of this process's environment."""
        self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        self.environment = {
            "BACKLINE_DATABASE_PATH": str(self.folder / "data" / "backline.sqlite"),
            "BACKLINE_HTTP_HOST": "127.0.0.1",
            "BACKLINE_HTTP_PORT": "0",
            **environment,
        }
        # Those that were started and not removed, in their order.
        self.programs: list[Program] = []
        self.address = ""
        self._products = products
        self._inherit = inherit

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.stop_programs()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Processes

    def start(self, product: str, arguments: list[str] | None = None, name: str | None = None) -> Program:
        program = self.program_type(
            name or product, [self._products(product), *(arguments or [])], self.folder,
            self._inherit(self.environment))
        self.programs.append(program)
        return program

    def start_gateway(self) -> Program:
        """Starts the gateway. Later starts use the address of the first one."""
        gateway = self.start("api-gateway")
        self.address = gateway.wait_for("listening on").split()[-1]
        self.environment["BACKLINE_HTTP_PORT"] = self.address.rsplit(":", 1)[1]
        return gateway

    def stop_programs(self) -> None:
        """Ends all processes, the last one first. They can be started again."""
        # Workers can say goodbye to the gateway, which ends last.
        for program in reversed(self.programs):
            program.stop()
        self.programs.clear()

    def command(self, *arguments: str) -> str:
        """Runs a command of `backline`, which must succeed, and returns its output."""
        return run(
            self._products("backline"), *arguments, environment=self._inherit(self.environment), folder=self.folder,
            error=self.program_type.error)

    def add_user(self, name: str, *options: str) -> str:
        """Adds a user, and returns their token."""
        return self.command("user", "add", name, *options)
