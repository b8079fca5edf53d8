/** A repeated write with its Idempotency-Key, in a loop over all operations that change something. */
import { expect, test } from 'bun:test'
import { openapi } from '#http/docs/document'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { keyed, type Ready, ready, writes } from './every-operation.ready'
import { bodyOf, nameOf, stored } from './every-operation.shared'
import type { Everything } from './everything'
import { type Answer, closeWorlds } from './harness'
import { isProof, ofToday, part } from './proof'

/** Without those of background work: of two equal imports at once, one deletes later what it had prepared. */
const entriesIn = ({ db }: Everything) =>
  (db.$client.query("SELECT count(*) AS n FROM auditEntries WHERE type <> 'changeRows'").get() as { n: number }).n

/** A caller who has signed out cannot be recognised any more: the repeated request is 401, as every request after it. */
const signingOut = ['DELETE /participants/sessions', 'DELETE /sessions']

/** They succeed with a provider only: test/conduct/wearables repeats them. */
const connections = ['POST /participants/connections/:service', 'DELETE /participants/connections/:service']

/** Sends another body with the key of a write that was performed, and reports an answer that is no refusal. */
async function refusedWithOtherBody(op: AnyOperation, { every, send }: Ready, first: Answer): Promise<string[]> {
  const before = stored(every)
  const body = { ...Object(bodyOf(op, every)), name: 'Something else', text: 'Something else', note: 'else' }
  const { status } = await send(undefined, body)
  expect([nameOf(op), stored(every)]).toEqual([nameOf(op), before])
  // 422 if the operation does not know these fields.
  return first.status === 200 && status !== 400 && status !== 422 ? [`${nameOf(op)}, another body: ${status}`] : []
}

const takesBody = ({ method, body }: AnyOperation) => body !== undefined && method !== 'DELETE'

/** Performs a write, repeats it, and in another world sends it twice at once. Reports what is wrong. */
async function repeated(op: AnyOperation): Promise<string[]> {
  const wrong: string[] = []
  const made = await ready(op)
  const { every, send } = made
  const before = entriesIn(every)
  const first = await send()
  const [rows, entries] = [stored(every), entriesIn(every)]
  const second = await send()
  if (first.status !== 200) wrong.push(`${nameOf(op)}: ${first.status} ${JSON.stringify(first.body)}`)
  else if (second.status !== 200 || JSON.stringify(first.body) !== JSON.stringify(second.body))
    wrong.push(`${nameOf(op)}, repeated: ${second.status} ${JSON.stringify(second.body)}`)
  expect([nameOf(op), stored(every), entriesIn(every)]).toEqual([nameOf(op), rows, entries])
  const other = await ready(op)
  const earlier = entriesIn(other.every)
  const [a, b] = await Promise.all([other.send(), other.send()])
  if (a.status !== 200 || b.status !== 200 || JSON.stringify(a.body) !== JSON.stringify(b.body))
    wrong.push(`${nameOf(op)}, both at once: ${a.status} and ${b.status} ${JSON.stringify(b.body)}`)
  expect([nameOf(op), entriesIn(other.every) - earlier]).toEqual([nameOf(op), entries - before])
  return takesBody(op) ? [...wrong, ...(await refusedWithOtherBody(op, made, first))] : wrong
}

const PARTS = isProof ? 6 : 2
const special = [...signingOut, ...connections]
const usual = keyed.filter((op) => !special.includes(nameOf(op)))

// Another body is sent in the same world, as to make one takes most of the time.
test.each(Array.from({ length: PARTS }, (_, at) => [at + 1]))(
  `every write is performed once, and a repeated one gets the first answer, also if both come at once; another body is refused: %i of ${PARTS} (${part})`,
  async (half) => {
    const wrong: string[] = []
    for (const op of ofToday(usual).filter((_, at) => at % PARTS === half - 1)) {
      wrong.push(...(await repeated(op)))
      closeWorlds()
    }
    expect(wrong).toEqual([])
  },
  180_000,
)

test('who signed out gets 401 for the repeated request', async () => {
  for (const name of signingOut) {
    const { send } = await ready(keyed.find((op) => nameOf(op) === name)!)
    expect([(await send()).status, (await send()).status]).toEqual([200, 401])
  }
})

test('the same key with another body is refused, and nothing is done, also where the first cannot succeed here', async () => {
  const wrong: string[] = []
  for (const op of keyed.filter((op) => special.includes(nameOf(op)) && takesBody(op))) {
    const made = await ready(op)
    wrong.push(...(await refusedWithOtherBody(op, made, await made.send())))
  }
  expect(wrong).toEqual([])
}, 180_000)

test('the document says which operations keep no answer, because it holds a secret', () => {
  const { paths } = openapi(operations) as {
    paths: Record<string, Record<string, { description: string; parameters?: object[] }>>
  }
  for (const op of writes) {
    const { description, parameters = [] } = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!
    const takesKey = JSON.stringify(parameters).includes('idempotencyKey')
    expect([nameOf(op), takesKey]).toEqual([nameOf(op), op.secret !== true])
    expect([nameOf(op), description.includes('no answer is kept')]).toEqual([nameOf(op), op.secret === true])
  }
})
