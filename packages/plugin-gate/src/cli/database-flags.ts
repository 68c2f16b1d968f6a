import { Flags } from '@oclif/core';

/** Flag of the commands that work on the database, often as another role than the servers. */
export const dsnEnv = Flags.string({
  description: 'Environment variable that holds the connection string. [default: `store.dsn_env` of the configuration]',
  helpValue: 'NAME',
});
