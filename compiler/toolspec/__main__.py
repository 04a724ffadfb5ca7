"""`python -m toolspec`: the command under the name of the package."""

from toolspec.cli.main import main

if __name__ == "__main__":  # a worker process imports this module as well
    main()
