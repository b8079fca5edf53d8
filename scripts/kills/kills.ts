/**
 * Kills the server with SIGKILL, again and again, while it writes of every kind at once, and a backup is made. After each restart
 * every answer that was sent is there, nothing is half there, `verify` finds nothing, interrupted jobs go on, no message is
 * sent twice, events come to a webhook in their order, and a write that was interrupted is sent again with its Idempotency-Key and done once. At the end the newest backup is restored and verified. The exit code is 1 at the first difference.
 *
 *   bun scripts/kills/kills.ts [--rounds 100] [--seed 1] [--from-source]
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '#kernel/random'
import type { Guarantee } from './guarantees'
import { type Api, ask, firstKey, openGateway, programFor, startServer } from './server'
import { prepare, unrepeatableKinds, writesOf } from './writes'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    'from-source': { type: 'boolean', default: false },
  },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
const random = randomFrom(seed)
const program = programFor(values['from-source'])
const folder = mkdtempSync(join(tmpdir(), 'trialbox-kills-'))
const [data, backups] = [join(folder, 'data'), join(folder, 'backups')]

mkdirSync(backups)

/** Kinds whose work is done by threads or processes. */
const SLOW = new Set(['export', 'import', 'packImport', 'preview', 'masterFile'])
/** Of those, kinds whose work grows with the study: one in a round is enough. */
const GROWING = new Set(['export', 'masterFile'])

/** Of the answers of earlier rounds, this many are checked again in each round; at the end, all of them. */
const AGAIN = 30

/** Runs a command to its end. @throws with what it wrote, unless it ends with 0 */
async function run(...words: string[]): Promise<void> {
  const child = Bun.spawn([...program, ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`trialbox ${words.join(' ')}: ${out}${err}`)
}

/** Refuses what an answer promised and is not so. */
async function requireKept(api: Api, guarantees: readonly Guarantee[]): Promise<void> {
  const lost: string[] = []
  for (const { what, holds } of guarantees) if (!(await holds(api))) lost.push(what)
  if (lost.length) throw new Error(`Lost although it was answered: ${lost.join(', ')}`)
}

/** Of the registrations that were begun, each is there with all of its three participants, or with none. */
async function requireWhole(api: Api, at: string, begun: readonly number[]): Promise<void> {
  for (const n of begun) {
    const { total } = (await ask(api, 'GET', `${at}/participants?term=R-${n}-`)).body
    if (total !== 0 && total !== 3) throw new Error(`The registration ${n} of 3 is there with ${total}.`)
  }
}

/** The values of one participant, which grow from write to write, came to the webhook in this order, each for the first time. */
function requireOrder(pulseValues: readonly number[]): void {
  const early = pulseValues.find((value, at) => value < pulseValues[at - 1]!)
  if (early !== undefined) throw new Error(`The event ${early} came after later ones about the same participant.`)
}

const gateway = openGateway()
let server = await startServer(program, data, gateway.url)
let killed = 0
try {
  console.log(`${program.join(' ')}: ${rounds} rounds, --seed ${seed}`)
  let api = await firstKey(server.url, server.setup!)
  const study = await prepare(api, gateway)
  const writes = Object.entries(writesOf(study))
  const counts = new Map<string, number>()
  const guarantees: Guarantee[] = []
  let [n, repeated] = [0, 0]
  for (let round = 1; round <= rounds; round++) {
    const roundGuarantees: Guarantee[] = []
    const begun: number[] = []
    let isKilled = false
    const failed: Error[] = []
    /** The writes without an answer, to be sent again. */
    const interrupted: (() => Promise<Guarantee>)[] = []
    const load = writes.map(async ([kind, write]) => {
      while (!isKilled) {
        const at = ++n
        const send = () => write({ ...api, repeat: `${kind} ${at}` }, at)
        if (kind === 'registration') begun.push(at)
        try {
          roundGuarantees.push(await send())
          counts.set(kind, (counts.get(kind) ?? 0) + 1)
        } catch (error) {
          // An answer, but not the expected one; or a server that ended by itself.
          if ('status' in (error as Error) || !isKilled) failed.push(error as Error)
          else if (!unrepeatableKinds.has(kind)) interrupted.push(send)
          if (!isKilled) return
        }
        // Some kinds are slow by nature, and would fill the queue of jobs.
        if (SLOW.has(kind)) await Bun.sleep(GROWING.has(kind) ? 1_500 : 100)
      }
    })
    const backup =
      round % 5 === 0
        ? run('backup', '--data', data, '--out', join(backups, `${round}.tar`)).catch((error) => failed.push(error))
        : undefined
    await Bun.sleep(random.whole(50, 1_200))
    const ended = server.stop('SIGKILL')
    isKilled = true
    await Promise.all([ended, ...load, backup])
    killed++
    if (failed.length) throw failed[0]
    await run('verify', '--data', data)
    server = await startServer(program, data, gateway.url)
    api = { ...api, url: server.url }
    await requireKept(api, roundGuarantees)
    await requireWhole(api, study.at, begun)
    await requireKept(
      api,
      Array.from({ length: Math.min(AGAIN, guarantees.length) }, () => random.pick(guarantees)),
    )
    const again = await Promise.all(interrupted.map((send) => send()))
    await requireKept(api, again)
    repeated += again.length
    guarantees.push(...roundGuarantees, ...again)
    const twice = [...gateway.received].filter(([, times]) => times > 1)
    if (twice.length) throw new Error(`Messages that were sent twice: ${twice.map(([id]) => id).join(', ')}`)
    requireOrder([...gateway.told])
    if (round % 10 === 0) console.log(`round ${round}: ${guarantees.length} answers kept`)
  }
  await requireKept(api, guarantees)
  const { code, err } = await server.stop('SIGTERM')
  if (code !== 0 || err) throw new Error(`The server ended with ${code}: ${err}`)
  await run('verify', '--data', data)
  const newest = readdirSync(backups).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))[0]
  if (newest) {
    await run('restore', join(backups, newest), '--data', join(folder, 'restored'))
    await run('verify', '--data', join(folder, 'restored'))
  }
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  console.log(
    `${killed} kills, ${guarantees.length} answers kept: ${kinds}; ${repeated} writes repeated and done once; ${gateway.received.size} messages, none twice; ${gateway.told.size} events in their order; ${gateway.cards.size} gift cards`,
  )
  rmSync(folder, { recursive: true })
} catch (error) {
  console.error(`After ${killed} kills, --seed ${seed}, data in ${folder}: ${(error as Error).message}`)
  await server.stop('SIGKILL')
  process.exitCode = 1
} finally {
  gateway.stop()
}
