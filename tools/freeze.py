"""Write tests/frozen/ again: what users and programs see of Commonplace, as it is now.

    python tools/freeze.py

tests/test_frozen.py compares the files with the code. Name what changed in CHANGELOG.md. Where the TypeScript client is
installed (`npm ci` in clients/typescript), its generated files are written again too.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    if (ROOT / "clients" / "typescript" / "node_modules").exists():
        subprocess.run([sys.executable, "tools/typescript_types.py"], cwd=ROOT, check=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_frozen.py", *sys.argv[1:]]
    sys.exit(subprocess.run(command, cwd=ROOT, env={**os.environ, "COMMONPLACE_FREEZE": "1"}, check=False).returncode)
