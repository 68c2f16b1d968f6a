export { Args, Command, Config, Errors, Flags, flush, run } from '@oclif/core';
