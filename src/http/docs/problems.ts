/** The refusals of operations, as shared components of the document (docs/contract.md, "Errors"). */
import { isSafe } from '#http/call'
import type { AnyOperation, CallerKind } from '#http/operation'
import { FHIR_JSON } from '#http/outcome'

const message = { type: 'string', description: 'A sentence for people.' }
const details = { type: 'object', additionalProperties: true, description: 'Details for programs.' }

const schemas = {
  Problem: { type: 'object', required: ['message'], properties: { message, details } },
  Invalid: {
    type: 'object',
    required: ['message', 'details', 'validations'],
    properties: {
      message,
      details: {
        type: 'object',
        properties: {
          fields: {
            type: 'object',
            description: 'The first problem at each place, by its path.',
            additionalProperties: { type: 'string' },
          },
        },
      },
      validations: {
        type: 'object',
        description: 'Problems by field: under `json` those of the body, under `query` and `path` those of the URL.',
        additionalProperties: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  OperationOutcome: {
    type: 'object',
    required: ['resourceType', 'issue'],
    properties: {
      resourceType: { const: 'OperationOutcome' },
      issue: { type: 'array', items: { $ref: '#/components/schemas/OperationOutcomeIssue' } },
    },
  },
  OperationOutcomeIssue: {
    type: 'object',
    required: ['severity', 'code', 'diagnostics'],
    properties: {
      severity: { const: 'error' },
      code: { type: 'string', description: 'Of the value set issue-type of FHIR.' },
      diagnostics: message,
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
  Outcome: {
    description: 'Refused; the OperationOutcome says why.',
    headers: version,
    content: { [FHIR_JSON]: { schema: { $ref: '#/components/schemas/OperationOutcome' } } },
  },
  Bad: response('The request cannot be fulfilled; the message says why.'),
  Unauthenticated: response('No valid key, session or token.'),
  Forbidden: response('The caller lacks a permission, a lock forbids it, or the feature is off.'),
  Missing: response('It does not exist, or the caller cannot see it.'),
  TooLarge: response('The body is too large.'),
  Invalid: response('The body, the query or the path is not valid.', 'Invalid'),
  TooMany: response('Too many requests.', 'TooMany', {
    'Retry-After': { description: 'Seconds to wait before another attempt.', schema: { type: 'integer' } },
  }),
}

const reference = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` })

/** The refusals that apply to an operation, by status. */
function of(op: AnyOperation, who: readonly CallerKind[]): Record<string, unknown> {
  const isOpen = who.includes('anyone')
  const isWrite = !isSafe(op)
  if (op.fhir)
    return Object.fromEntries(['401', '403', '404', '422', '429'].map((status) => [status, reference('Outcome')]))
  const isGuarded = Boolean(op.needs !== 'nothing' || op.needsByField || op.feature || op.changes || op.fresh)
  return {
    ...(isWrite ? { 400: reference('Bad') } : {}),
    ...(isOpen ? {} : { 401: reference('Unauthenticated') }),
    ...(isGuarded || (!isOpen && isWrite) ? { 403: reference('Forbidden') } : {}),
    ...(op.scope || op.path.includes(':') ? { 404: reference('Missing') } : {}),
    ...(isWrite ? { 413: reference('TooLarge') } : {}),
    422: reference('Invalid'), // every operation refuses an unknown query parameter
    429: reference('TooMany'), // `--rate-limit` sets a limit for operations without one
  }
}

export const problems = { schemas, responses, of }
