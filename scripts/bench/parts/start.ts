/** The time from the start to the first answer, and the memory of an idle server. */
import { connect } from 'node:net'
import { join } from 'node:path'
import { cpuTime, idle, memory } from '../accounting'
import { cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import { freshFolder, removeFolder, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { builtExecutables, startServer, startTrialbox } from '../servers'

const SOCKETS = 500

/** Memory of a server to which that many clients are connected, each of which has asked once. */
async function connectedMemory(people: number): Promise<number> {
  const copy = copyCached<SeededDirectory>(await cachedFolder(`people-${people}`, 'seed.ts', [1, people, 0, 'varied']))
  const server = await startTrialbox(copy.data)
  await idle(server.pid, 120_000)
  const { key, trials } = copy.made
  const ask = (at: number) =>
    `GET /trials/${trials[0]!.trial}/participants?page=${at + 1} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const sockets = Array.from({ length: SOCKETS }, (_, at) => {
    const socket = connect(server.port, '127.0.0.1')
    const answered = new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject))
    socket.write(ask(at % 50))
    return { socket, answered }
  })
  await Promise.all(sockets.map(({ answered }) => answered))
  await Bun.sleep(3_000)
  const size = memory('VmRSS', server.pid)
  for (const { socket } of sockets) socket.destroy()
  await server.stop()
  copy.remove()
  return size
}

export async function measureStart({ quick, rounds }: Settings): Promise<Table[]> {
  const folder = freshFolder()
  const { trialbox, bare } = await builtExecutables()
  const took = { bare: [] as number[], empty: [] as number[], existing: [] as number[] }
  const cpu = { bare: [] as number[], existing: [] as number[] }
  const resting = { bare: [] as number[], ours: [] as number[] }
  const times = quick ? 3 : Math.max(10, rounds)
  for (let at = -1; at < times; at++) {
    const data = join(folder, `data-${at}`)
    for (const kind of ['bare', 'empty', 'existing'] as const) {
      const server = kind === 'bare' ? await startServer([bare]) : await startTrialbox(data)
      if (at >= 0) took[kind].push(server.took)
      if (at >= 0 && kind !== 'empty') cpu[kind].push(cpuTime(server.pid) / 1000)
      if (at >= 0 && at < rounds && kind !== 'empty') {
        await Bun.sleep(1_500)
        resting[kind === 'bare' ? 'bare' : 'ours'].push(memory('VmRSS', server.pid))
      }
      await server.stop()
      // An account, as any directory in use has one: without an account, a start makes a link to set up the first.
      const account = ['--data', data, '--email', 'ann@example.org', '--name', 'Ann', '--team', 'Team']
      if (kind === 'empty') Bun.spawnSync([trialbox, 'users', 'add', ...account])
    }
  }
  removeFolder(folder)
  const people = quick ? 10_000 : 100_000
  const connected = await connectedMemory(people)
  const what = `memory with ${SOCKETS} connections at rest, ${people.toLocaleString('en')} participants`
  return [
    comparisonTable('Start and memory', [
      comparison('start to first answer, empty directory', ' ms', took.bare, took.empty),
      comparison('start to first answer, existing directory', ' ms', took.bare, took.existing, { ratio: { most: 6 } }),
      comparison('CPU time of a start, existing directory', ' ms', cpu.bare, cpu.existing),
      comparison('idle memory', ' MB', resting.bare, resting.ours, { value: { most: 50 } }),
      comparison(what, ' MB', [], [connected], { value: { most: 120 } }),
    ]),
  ]
}
