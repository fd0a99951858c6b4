@_exported import Fuzzing
