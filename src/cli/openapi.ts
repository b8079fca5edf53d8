import type { Command } from './command'

export const command: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI document of this version',
  usage: '',
  about: 'A running server serves the same document at /openapi.json.',
  options: [],
  examples: ['trialbox openapi', 'trialbox openapi > openapi.json'],
  async run({ print }) {
    const { operations } = await import('#app')
    const { openapi } = await import('#http/docs/document')
    print(JSON.stringify(openapi(operations), null, 2))
    return 0
  },
}
