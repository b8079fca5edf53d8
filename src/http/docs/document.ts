/**
 * Generates the OpenAPI document from the list of operations: nothing in it is written twice. @elysiajs/openapi would not do:
 * it reads the routes of Elysia, which have only their paths here, since the pipeline does the checks.
 */
import type { TObject } from '@sinclair/typebox'
import { isSafe } from '#http/call'
import { CSV, fileTypesOf } from '#http/contentNegotiation'
import { type AnyOperation, callersOf } from '#http/operation'
import { FHIR_JSON } from '#http/outcome'
import type { JsonObject } from '#kernel/json'
import { serviceVersion } from '#kernel/version'
import type { AnswerForms, ByBody, ByQuery, TSchema } from '#wire/schema'
import { examples } from './examples'
import { type Models, namedModels } from './models'
import { operationDescription } from './operationDescription'
import { problems } from './problems'
import { jsonSchema, type Schema } from './schema'

const INFO = `Every response is JSON and has the header \`X-Service-Version\`. A success has status 200. A request with a body needs
\`Content-Type: application/json\`. A body may contain the fields of a GET response that no operation sets, such as \`_id\`,
which are ignored; any other unknown field is refused. Moments are ISO 8601 in UTC with six fractional digits. A request with several problems is refused
with the first of these: 401, 429, 422, 404, 403, 400.

After a change of the configuration, the timelines of all participants are recalculated. In a trial of up to 50 participants,
this is done before the response, except for very long timelines. In a larger trial, a job continues the recalculation: the
header \`X-Job\` of the response has its \`_id\` for \`GET /jobs/:jobId\`, and \`timelineUpdate\` in \`GET /trials/:trialId\` shows the
progress. If the same account makes further changes meanwhile, the same job covers them too; it ends when all timelines are
calculated with the last change. When many participants are registered with passwords, \`X-Job\` names the job that hashes these.

Files are not sent through the API: operations return signed links, for uploads with PUT and downloads with GET.`

/** The document, OpenAPI 3.1. */
export function openapi(operations: readonly AnyOperation[]): JsonObject {
  const models = namedModels(operations.map(({ returns }) => returns))
  const paths: Record<string, JsonObject> = {}
  for (const op of operations) {
    const path = op.path.replace(/:(\w+)/g, '{$1}')
    const item = (paths[path] ??= {})
    item[op.method.toLowerCase()] = operationObject(op, models)
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
      schemas: { ...models.components(), ...problems.schemas },
      responses: problems.responses,
      headers: {
        version: {
          description: 'The version of the server: semantic version and commit.',
          schema: { type: 'string', examples: ['1.4.0+3f2a91c'] },
        },
        job: {
          description:
            'The job that recalculates the timelines of a large trial, if this request changed what they depend on; or the job that hashes the passwords of many new participants.',
          schema: { type: 'string' },
        },
      },
      parameters: {
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A repeated request with the same key, path and body is performed once; the repetition gets the first response again.',
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

/** Whether it may change what the timelines of many participants depend on. An act on one participant or response does not. */
const mayStartJob = (op: AnyOperation) =>
  !isSafe(op) &&
  op.scope !== undefined &&
  callersOf(op).includes('staff') &&
  !(op.changes === 'data' && /:(?:participant|response)Id/.test(op.path))

/** The description of one operation: an "operation object" of OpenAPI. */
function operationObject(op: AnyOperation, models: Models): JsonObject {
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    description: operationDescription(op, callersOf(op)).join('\n\n'),
    security: securityOf(op),
    ...(parametersOf(op).length ? { parameters: parametersOf(op) } : {}),
    ...(op.body
      ? {
          requestBody: {
            required: !isAllOptional(jsonSchema(op.body, 'in')),
            content: { 'application/json': { schema: models.schema(op.body, 'in'), ...exampleOf(op) } },
          },
        }
      : {}),
    responses: {
      '200': {
        description: successOf(op),
        headers: {
          'X-Service-Version': { $ref: '#/components/headers/version' },
          ...(mayStartJob(op) ? { 'X-Job': { $ref: '#/components/headers/job' } } : {}),
        },
        content: contentOf(op, models),
      },
      ...problems.of(op, callersOf(op)),
    },
  }
}

/** What a success can be: JSON, and where `Accept` names it a file. */
const contentOf = (op: AnyOperation, models: Models): JsonObject => ({
  [op.fhir ? FHIR_JSON : 'application/json']: { schema: models.schema(op.returns, 'out') },
  ...(isSafe(op) && formsOf(op.returns).some((form) => fileTypesOf(form).includes(CSV))
    ? {
        [CSV]: {
          schema: { type: 'string', description: 'The value of `csv` itself, for a request with `Accept: text/csv`.' },
        },
      }
    : {}),
})

/** All models that an answer may have. */
const formsOf = (returns: TSchema): TSchema[] => {
  const byQuery: ByQuery<string, TSchema, AnswerForms>['byQuery'] | undefined = returns.byQuery
  return byQuery ? [byQuery.usual, ...Object.values(byQuery.others)].flatMap(formsOf) : [returns]
}

const exampleOf = ({ id }: AnyOperation) => (examples[id] ? { example: examples[id] } : {})

/** The forms besides the usual one, each with what chooses it. @param before what was chosen already */
function formNames({ name, others }: ByQuery<string, TSchema, AnswerForms>['byQuery'], before = ''): string[] {
  return Object.entries(others).flatMap(([value, form]) => {
    const asked = `${before}\`${name}=${value}\``
    const { name: model = 'another form' } = form.byQuery?.usual ?? form
    return [`With ${asked}: ${model}.`, ...(form.byQuery ? formNames(form.byQuery, `${asked} and `) : [])]
  })
}

/** Which of several forms a success has. */
function successOf({ returns }: AnyOperation): string {
  const byQuery: ByQuery<string, TSchema, AnswerForms>['byQuery'] | undefined = returns.byQuery
  const byBody: ByBody<TSchema, AnswerForms>['byBody'] | undefined = returns.byBody
  const names = (forms: AnswerForms, asked: (value: string) => string) =>
    Object.entries(forms).map(([value, { name = 'another form' }]) => `With ${asked(value)}: ${name}.`)
  if (byQuery) return ['Done.', ...formNames(byQuery)].join(' ')
  return byBody ? ['Done.', ...names(byBody.others, (field) => `\`${field}\` in the body`)].join(' ') : 'Done.'
}

/** Whether a body may be left out. */
export const isAllOptional = ({ required }: Schema): boolean => !Array.isArray(required) || !required.length

function securityOf(op: AnyOperation): JsonObject[] {
  const session = isSafe(op) ? { session: [] } : { session: [], csrf: [] }
  return callersOf(op).flatMap((who): JsonObject[] => {
    if (who === 'staff') return [{ apiKey: [] }, session]
    if (who === 'session') return [session]
    return who === 'participant' ? [{ participantToken: [] }] : [{}]
  })
}

function parametersOf(op: AnyOperation): JsonObject[] {
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
  return [
    ...inPath,
    ...inQuery,
    ...(isSafe(op) || op.secret === true ? [] : [{ $ref: '#/components/parameters/idempotencyKey' }]),
  ]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const wordsOf = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ')

/** The area: the first noun of the path, or of a path under a trial the second. */
function tagOf({ path }: AnyOperation): string {
  const nouns = path.split('/').filter((segment) => segment && !segment.startsWith(':'))
  return capital(wordsOf((nouns[0] === 'trials' && nouns[1]) || nouns[0]!))
}
