import { Flags } from '@oclif/core';

export const remote = Flags.string({
  description: 'Send the work to the server at this address. The API key is read from SVC_API_KEY. [default: SVC_API_URL]',
  helpValue: 'URL',
});
