/** Makes accounts as people do: with a set-up link, a password and an API key of their own. */
import { newSecret } from '#kernel/id'
import { bearer, type Client } from './client'

export type Account = { email: string; password: string; apiKey: string; client: Client }

/** Signs an account in to the web app. Returns a client with its session. */
export async function signIn(server: Client, email: string, password: string): Promise<Client> {
  const { body, headers } = await server.request('POST', '/sessions', { email, password })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  return server.as({ Cookie: cookie, 'X-CSRF-Token': body.csrfToken })
}

/**
 * Sets an account up, signs in to the web app and makes an API key there.
 * @param setup the token of the set-up link
 * @param about the name; for the first account of a service also email and team
 */
export async function openAccount(
  server: Client,
  setup: string,
  about: { name: string; email?: string; team?: string },
): Promise<Account> {
  const password = newSecret().slice(0, 20)
  const { email } = await server.post(`/setup/${setup}`, { ...about, password })
  const inBrowser = await signIn(server, email, password)
  const { key } = await inBrowser.post('/users/me/api-keys', { name: 'Made for the walk through a study' })
  return { email, password, apiKey: key, client: server.as(bearer(key)) }
}
