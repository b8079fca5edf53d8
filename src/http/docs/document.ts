/**
 * Generates the OpenAPI document from the list of operations: nothing in it is written twice. @elysiajs/openapi would not do:
 * it reads the routes of Elysia, which have only their paths here, since the pipeline does the checks.
 */
import type { TObject } from '@sinclair/typebox'
import { type AnyOperation, callersOf } from '#http/operation'
import { serviceVersion } from '#kernel/version'
import { problems } from './problems'
import { jsonSchema, type Schema } from './schema'
import { sentencesOf } from './sentences'

type Json = Record<string, unknown>

const INFO = `Every answer is JSON and carries \`X-Service-Version\`. A success is 200. Bodies need \`Content-Type: application/json\`;
a body may carry the read-only fields that a GET gave, which are ignored, while any other unknown field is refused. Moments are
ISO 8601 in UTC with six fractional digits. Requests are refused in this order: 401, 429, 422, 404, 403, 400.

A change of the configuration brings everybody's timeline up to date. In a trial of up to 50 participants that is done
when it is answered, but for very long timelines. In a larger one a job goes on with it: the answer's \`X-Job\` names it,
to be followed with \`GET /jobs/:jobId\`, and \`timelineUpdate\` of \`GET /trials/:trialId\` says how far it is. An account
that makes further changes meanwhile has one job for them all, which is done once everybody's timeline follows from the
last.

Files are not sent through the API: it gives signed links, to which they are PUT and from which they are got.`

/** The document, OpenAPI 3.1. */
export function openapi(operations: readonly AnyOperation[]): Json {
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    const path = op.path.replace(/:(\w+)/g, '{$1}')
    const item = (paths[path] ??= {})
    item[op.method.toLowerCase()] = described(op)
  }
  const tags = [...new Set(operations.map(tagOf))].sort()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trialbox',
      version: serviceVersion,
      description: INFO,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: problems.schemas,
      responses: problems.responses,
      headers: {
        version: {
          description: 'The build that answered: semantic version and commit.',
          schema: { type: 'string', examples: ['1.4.0+3f2a91c'] },
        },
        job: {
          description:
            'The job that brings the timelines of a large trial up to date, where this changed what they follow from.',
          schema: { type: 'string' },
        },
      },
      parameters: {
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same request with the same key is done once, and answered with the first result again.',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a member of staff: `tbk_…`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'trialbox_session',
          description: 'The web app, after POST /sessions.',
        },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The `csrfToken` of the session.' },
        participantToken: { type: 'http', scheme: 'bearer', description: 'A participant, after signing in.' },
      },
    },
  }
}

const isSafe = ({ method }: AnyOperation) => method === 'GET'

/** Whether it may change what the timelines of many participants depend on. An act on one participant or response does not. */
const mayStartJob = (op: AnyOperation) =>
  !isSafe(op) &&
  op.scope !== undefined &&
  callersOf(op).includes('staff') &&
  !(op.changes === 'data' && /:(?:participant|response)Id/.test(op.path))

function described(op: AnyOperation): Json {
  return {
    operationId: operationIdOf(op),
    tags: [tagOf(op)],
    summary: op.summary,
    description: sentencesOf(op, callersOf(op)).join('\n\n'),
    security: securityOf(op),
    ...(parametersOf(op).length ? { parameters: parametersOf(op) } : {}),
    ...(op.body
      ? {
          requestBody: {
            required: !isAllOptional(jsonSchema(op.body, 'in')),
            content: { 'application/json': { schema: jsonSchema(op.body, 'in') } },
          },
        }
      : {}),
    responses: {
      '200': {
        description: 'Done.',
        headers: {
          'X-Service-Version': { $ref: '#/components/headers/version' },
          ...(mayStartJob(op) ? { 'X-Job': { $ref: '#/components/headers/job' } } : {}),
        },
        content: { 'application/json': { schema: jsonSchema(op.returns, 'out') } },
      },
      ...problems.of(op, callersOf(op)),
    },
  }
}

const isAllOptional = ({ required }: Schema): boolean => !Array.isArray(required) || !required.length

function securityOf(op: AnyOperation): Json[] {
  const session = isSafe(op) ? { session: [] } : { session: [], csrf: [] }
  return callersOf(op).flatMap((who): Json[] => {
    if (who === 'staff') return [{ apiKey: [] }, session]
    if (who === 'session') return [session]
    return who === 'participant' ? [{ participantToken: [] }] : [{}]
  })
}

function parametersOf(op: AnyOperation): Json[] {
  const inPath = [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    ...(name!.endsWith('Id') ? { description: `The _id of the ${wordsOf(name!.slice(0, -2))}.` } : {}),
    schema: { type: 'string' },
  }))
  const query = op.query as TObject | undefined
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field, 'in')
    const required = query!.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description ? { description } : {}), schema }
  })
  return [...inPath, ...inQuery, ...(isSafe(op) ? [] : [{ $ref: '#/components/parameters/idempotencyKey' }])]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const wordsOf = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ')

/** The area: the first noun of the path, or of a path under a trial the second. */
function tagOf({ path }: AnyOperation): string {
  const nouns = path.split('/').filter((segment) => segment && !segment.startsWith(':'))
  return capital(wordsOf((nouns[0] === 'trials' && nouns[1]) || nouns[0]!))
}

/** Such as `putTrialsByTrialIdGroups`. It is unique, since no two operations have the same method and path. */
function operationIdOf({ method, path }: AnyOperation): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((segment) =>
      segment.startsWith(':') ? `By${capital(segment.slice(1))}` : segment.split(/[-.]/).map(capital).join(''),
    )
  return method.toLowerCase() + words.join('')
}
