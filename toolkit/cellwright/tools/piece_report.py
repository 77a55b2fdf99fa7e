"""What there is to say of code in the background: its state, and what it has put out.

It is asked about while it runs and when it has ended, and is no failure of the one who asks. The rule that must never
break: its state says whether it still runs, ended well, or how it failed.
"""

from __future__ import annotations

from cellwright.errors import ToolError
from cellwright.kernels.code_piece import CodePiece
from cellwright.kernels.execution_report import NOTHING, ExecutionReport
from cellwright.messages import JsonObject
from cellwright.views.view import Failure, View


class PieceReport:
    """How a piece of code is now. `state` is `running`, `ended`, or the code of its failure."""

    def __init__(self, piece: CodePiece) -> None:
        self.name = piece.name
        self.view: View
        try:
            report = ExecutionReport(piece.execution(), piece.name)
        except ToolError as error:
            self.state, self.text = error.code, error.message
            self.view = Failure(error.code, error.message)
            return
        ended = report.failure.code if report.failure else "ended"
        self.state = ended if piece.is_over else "running"
        self.text = report.text or NOTHING
        self.view = report.view

    def as_json(self) -> JsonObject:
        """The value."""
        return {"code": self.name, "state": self.state, "output": self.text}
