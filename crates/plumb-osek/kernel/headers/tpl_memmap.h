/* Trampoline's applications include this wherever a section of memory begins or ends. The model has one memory. */
