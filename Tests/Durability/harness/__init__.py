"""What the durability tests share: a model of a list, clients that keep account, a server that is killed."""

import sys
from pathlib import Path

# The replica of the client tests is used here as well: one reading of the changeset format, apart from the server's.
sys.path.append(str(Path(__file__).resolve().parents[2] / "Clients"))
