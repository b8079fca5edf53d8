/** A server in front of another one, that can give devices a new version of the app, and lose what they send. */

/** @param base of the server behind */
export function upgrade(base: string) {
  const now: { version?: string; hidden?: string | undefined; isAway: boolean } = { isAway: false }
  const taken: string[] = []
  // The same server, with another worker: what an upgrade is for a device.
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (now.isAway && request.method === 'POST') return new Response('', { status: 502 })
      if (now.hidden !== undefined && pathname.startsWith(now.hidden)) return new Response('', { status: 502 })
      const answer = await fetch(base + pathname + search, request)
      if (request.method === 'POST') taken.push(pathname + search)
      const headers = new Headers(answer.headers)
      for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
      if (pathname !== '/app/sw.js' || now.version === undefined)
        return new Response(answer.body, { status: answer.status, headers })
      const worker = (await answer.text()).replace(/(`app \$\{\[")\w{8,}(?=")/, `$1${now.version}`)
      if (!worker.includes(`["${now.version}"`)) throw new Error('The worker does not say its version.')
      return new Response(worker, { headers })
    },
  })
  return {
    base: `http://127.0.0.1:${front.port}`,
    /** Gives this version of the app from now on. */
    give: (version: string) => {
      now.version = version
    },
    /** A proxy that has lost the server answers what is sent. */
    lose: (isAway: boolean) => {
      now.isAway = isAway
    },
    /** Loses files whose paths begin like this. */
    hide: (start: string | undefined) => {
      now.hidden = start
    },
    /** How many requests that were sent to such a path have arrived. */
    taken: (path: RegExp) => taken.filter((each) => path.test(each)).length,
    stop: () => front.stop(true),
  }
}
