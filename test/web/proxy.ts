/** A connection between a browser and a server that a test can cut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes on everything to a port of this machine. `cut` ends all connections at once, as a network does that is lost. */
export async function cuttingProxy(to: number) {
  const open = new Set<Socket>()
  let target = to
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('error', () => other.destroy())
      from.on('close', () => {
        open.delete(from)
        other.destroy()
      })
      from.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** Leads everything to another port from now on: to a server that was started again. */
    lead(port: number): void {
      target = port
      cut()
    },
    stop() {
      cut()
      server.close()
    },
  }
}
