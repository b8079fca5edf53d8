/** What an answer of the server promised, and how to look whether it was kept. */
import { type Api, ask } from './server'

/** What an answer promised. @returns whether it is so now; it may throw as `ask` does */
export type Guarantee = { what: string; holds(api: Api): Promise<boolean> }

/** Does the n-th write. @throws as `ask` does */
export type Write = (api: Api, n: number) => Promise<Guarantee>

/** The status of an answer. @throws if there is none */
export const statusOf = (request: Promise<unknown>): Promise<number> =>
  request.then(
    () => 200,
    (error) => error.status ?? Promise.reject(error),
  )

/** Something that answers at this path, with these values. */
export const guaranteeAt = (
  what: string,
  path: string,
  isSo: (body: ReturnType<typeof JSON.parse>) => boolean,
): Guarantee => ({
  what,
  holds: async (api) => (await statusOf(ask(api, 'GET', path))) === 200 && isSo((await ask(api, 'GET', path)).body),
})

/** Uploads a file, a picture by default. @param about `forType` and `forId`, as a query string @returns its stored name @throws as `ask` does */
export async function uploaded(
  api: Api,
  name: string,
  content: string,
  about: string,
  type = 'image/png',
): Promise<string> {
  const query = `name=${name}&size=${content.length}&type=${type}&${about}`
  const { body } = await ask(api, 'GET', `/uploads/file/request?${query}`)
  const { pathname, search } = new URL(body.signedRequestURL)
  const headers = { 'Content-Type': type }
  const sent = await fetch(api.url + pathname + search, { method: 'PUT', headers, body: content })
  if (sent.status !== 200) throw Object.assign(new Error(`upload: ${sent.status}`), { status: sent.status })
  return body.fileName
}

/** Whether a link that the server gave, perhaps at another port, answers this content. */
export async function answers(api: Api, link: string, content: string): Promise<boolean> {
  const { pathname, search } = new URL(link)
  return (await (await fetch(api.url + pathname + search)).text()) === content
}
