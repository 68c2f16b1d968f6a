import { Flags } from '@oclif/core';

export const remote = Flags.string({
  description: 'Have the server at this address do the work; otherwise SVC_API_URL. The key is read from SVC_API_KEY.',
  helpValue: 'URL',
});
