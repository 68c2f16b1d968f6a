export { Args, Command, Config, Errors, Flags, flush, loadHelpClass, run, ux } from '@oclif/core';
