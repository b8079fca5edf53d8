/** Requests for every operation. */
import { TypeGuard } from '@sinclair/typebox'
import { type AnyOperation, callersOf } from '#http/operation'
import type { TSchema } from '#wire/schema'
import type { Everything } from './everything'
import type { Person } from './harness'

export const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`

export const whoMay = (op: AnyOperation): readonly string[] => callersOf(op)

export const isOpen = (op: AnyOperation) => whoMay(op).includes('anyone')

/** The path of an operation in this world; `change` replaces some of its parameters. */
export const pathOf = (op: AnyOperation, every: Everything, change: Record<string, string> = {}) =>
  op.path.replace(/:(\w+)/g, (_, param: string) => {
    // A parameter may have several meanings: a token belongs to a set-up link or to a stage.
    const value =
      change[param] ??
      every.params[`${nameOf(op)} ${param}`] ??
      every.params[`${op.path.split('/')[1]}/${param}`] ??
      every.params[param]
    if (value === undefined) throw new Error(`test/everything.ts has no ${param}`)
    return value
  }) + (every.queries[nameOf(op)] ?? '')

export const bodyOf = (op: AnyOperation, every: Everything) => (op.body ? (every.bodies[nameOf(op)] ?? {}) : undefined)

/** A caller for each operation: `as` returns the caller that the operation accepts: the participant, the session or the owner with a key. */
export async function callersIn(every: Everything) {
  const participant = await every.signIn()
  const session = await every.signInStaff(every.owner)
  const as = (op: AnyOperation): Person =>
    whoMay(op).includes('participant') ? participant : whoMay(op).includes('session') ? session : every.owner
  return { participant, session, as }
}

export const ask = (person: Person, op: AnyOperation, every: Everything, change?: Record<string, string>) =>
  person.call(op.method, pathOf(op, every, change), bodyOf(op, every))

/** Calls each of these operations, and lists those with a wrong response. */
export async function wrongResponses(
  list: readonly AnyOperation[],
  expected: number,
  request: (op: AnyOperation) => Promise<{ status: number; body: unknown }>,
) {
  const wrong: string[] = []
  for (const op of list) {
    const { status, body } = await request(op)
    if (status !== expected) wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  return wrong
}

/** All stored data, except the audit trail and the times at which callers were last seen. */
export function stored({ db }: Everything) {
  const tables = db.$client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .filter(
      ({ name }) =>
        !/^(auditEntries|auditHeads|reads|readHeads|users|apiKeys|sessions|participantTokens|cacheVersions)$/.test(
          name,
        ),
    )
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      (db.$client.query(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]).map(
        ({ lastSeenAt: _, ...row }) => row,
      ),
    ]),
  )
}

/** The names of all fields in a model, inner ones included. */
export function fieldsIn(model: TSchema | undefined): string[] {
  if (!model) return []
  if (TypeGuard.IsUnion(model)) return model.anyOf.flatMap(fieldsIn)
  if (TypeGuard.IsArray(model)) return fieldsIn(model.items)
  if (!TypeGuard.IsObject(model)) return []
  return Object.entries(model.properties).flatMap(([name, field]) => [name, ...fieldsIn(field)])
}
