"""`python -m gistmeter`: the command line, also where scripts are not on the path."""

from gistmeter.cli.main import main

if __name__ == "__main__":
    main()
