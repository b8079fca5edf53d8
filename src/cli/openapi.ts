import { fault } from '#kernel/fault'
import type { Command, ServerCall } from './command'

export const command: Command<ServerCall> = {
  name: 'openapi',
  summary: 'print the OpenAPI document of this version, or a client made from it',
  usage: '[flags]',
  about:
    'A running server serves the same document at /openapi.json.\n\nThe client for TypeScript is one file without dependencies: types, calls by the ids of the operations, pages, jobs, and\nrepetition with an Idempotency-Key.',
  options: [{ flag: 'client', takes: 'ts', summary: 'print a client instead, for TypeScript' }],
  examples: ['trialbox openapi', 'trialbox openapi > openapi.json', 'trialbox openapi --client ts > trialbox.ts'],
  async run({ flags: { client }, loadProgram, print }) {
    if (client !== undefined && client !== 'ts') throw fault(`--client must be ts, not "${client}".`)
    const operations = await (await loadProgram()).allOperations()
    if (client === 'ts') print((await import('#http/client/generate')).clientSource(operations).trimEnd())
    else print(JSON.stringify((await import('#http/docs/document')).openapi(operations), null, 2))
    return 0
  },
}
