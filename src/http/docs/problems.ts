/** The refusals of operations, as shared components of the document (docs/contract.md, "Errors"). */
import type { AnyOperation, Who } from '#http/operation'

const message = { type: 'string', description: 'A sentence for a person.' }
const details = { type: 'object', additionalProperties: true, description: 'What a program can act on.' }

const schemas = {
  Problem: { type: 'object', required: ['message'], properties: { message, details } },
  Invalid: {
    type: 'object',
    required: ['message', 'validations'],
    properties: {
      message,
      validations: {
        type: 'object',
        description: 'Problems by field: under `json` those of the body, under `query` those of the query.',
        additionalProperties: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  TooMany: {
    type: 'object',
    required: ['message', 'Allowed limit'],
    properties: { message, 'Allowed limit': { type: 'string', examples: ['10 per 1 minute'] } },
  },
}

const version = { 'X-Service-Version': { $ref: '#/components/headers/version' } }
const response = (description: string, schema: keyof typeof schemas = 'Problem', headers = {}) => ({
  description,
  headers: { ...version, ...headers },
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
})

const responses = {
  Bad: response('What was asked for cannot be done; the message says why.'),
  Unauthenticated: response('No valid key, session or token.'),
  Forbidden: response('Seen but not permitted, locked, or a feature that is off.'),
  Missing: response('There is no such thing, or it cannot be seen.'),
  TooLarge: response('The body is too large.'),
  Invalid: response('The body or query is not valid.', 'Invalid'),
  TooMany: response('Too many requests.', 'TooMany', {
    'Retry-After': { description: 'Seconds until it may be tried again.', schema: { type: 'integer' } },
  }),
}

const refers = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` })

/** The refusals that apply to an operation, by status. */
function of(op: AnyOperation, who: readonly Who[]): Record<string, unknown> {
  const isOpen = who.includes('anyone')
  const isWrite = op.method !== 'GET'
  const isGuarded = Boolean(op.needs !== 'nothing' || op.needsByField || op.feature || op.changes || op.fresh)
  return {
    ...(isWrite ? { 400: refers('Bad') } : {}),
    ...(isOpen ? {} : { 401: refers('Unauthenticated') }),
    ...(isGuarded || (!isOpen && isWrite) ? { 403: refers('Forbidden') } : {}),
    ...(op.scope || op.path.includes(':') ? { 404: refers('Missing') } : {}),
    ...(op.body ? { 413: refers('TooLarge') } : {}),
    422: refers('Invalid'), // every operation refuses an unknown query parameter
    429: refers('TooMany'), // `--rate-limit` sets a limit for operations without one
  }
}

export const problems = { schemas, responses, of }
