/**
 * Code that must not compile with the client; `npm run types` checks it. Each case follows `@ts-expect-error`, which is an
 * error itself if its line compiles.
 */
import { client } from '#web/client'

const api = client()
declare const trial: string
declare const number: number

/** Never called: only its types are checked. */
export async function right() {
  const params = { trialId: trial }
  const { groups } = await api.get('/trials/:trialId/groups', { params })
  const name: string | undefined = groups[0]?.name
  const when: string | undefined = groups[0]?.createdAt
  const made = await api.post('/trials/:trialId/groups', { params, body: { name: 'Arm A' }, idempotencyKey: 'once' })
  const id: string = made._id
  const logs = await api.get('/trials/:trialId/logs', { params, query: { page: 2 } })
  const answered = await api.call('GET', '/trials/:trialId/groups', { params })
  const told: string = answered.ok ? answered.body.groups.length.toFixed() : answered.body.message
  return [name, when, id, logs, told]
}

/** URLs with values in place of parameters name an operation too; literal segments have priority. */
export async function urls() {
  const { groups } = await api.get(`/trials/${trial}/groups`)
  const { entries } = await api.get(`/trials/${trial}/logs?page=${number}&type=a`)
  const version = await api.get(`/trials/${trial}/configuration-versions/1`)
  const code: string = (await api.get(`/trials/${trial}`)).code
  await api.post(`/trials/${trial}/groups`, { body: { name: 'Arm A' } })
  return [groups, entries, version.number.toFixed(), code]
}

/** The query in the URL chooses the form of the answer; where it does not say which, the answer may have any form. */
export async function forms() {
  const params = { trialId: trial }
  const { entries } = await api.get('/trials/:trialId/logs', { params, query: { page: 2 } })
  const { csv } = await api.get('/trials/:trialId/logs?format=csv', { params, query: { type: 'a' } })
  const { url } = await api.get(`/stages/${trial}?response=${trial}&format=pdf`)
  const { name } = await api.get(`/stages/${trial}?response=${trial}`)
  const any = await api.get(`/stages/${trial}?format=${trial}`)
  const some = await api.get(`/trials/${trial}/logs?${trial}`)
  const link = 'url' in any ? any.url : any.name
  const registered = await api.post(`/trials/${trial}/participants`, { body: { participantId: 'P-1' } })
  const people = 'participants' in registered ? registered.participants : [registered]
  return [entries, csv.length, url.length, name, link, 'csv' in some ? some.csv : some.entries, people]
}

export async function wrong() {
  const params = { trialId: trial }
  // @ts-expect-error a misspelt path
  await api.get('/trials/:trialId/gruops', { params })
  // @ts-expect-error a misspelt URL
  await api.get(`/trials/${trial}/gruops`)
  // @ts-expect-error a method that the path does not have
  await api.patch('/trials/:trialId/groups', { params })
  // @ts-expect-error no parameters
  await api.get('/trials/:trialId/groups')
  // @ts-expect-error a misspelt parameter
  await api.get('/trials/:trialId/groups', { params: { trailId: trial } })
  // @ts-expect-error no body
  await api.post('/trials/:trialId/groups', { params })
  // @ts-expect-error a missing field of the body
  await api.post('/trials/:trialId/groups', { params, body: {} })
  // @ts-expect-error a field that the body does not have
  await api.post('/trials/:trialId/groups', { params, body: { name: 'Arm A', size: 1 } })
  // @ts-expect-error a body of a URL with a wrong field
  await api.post(`/trials/${trial}/groups`, { body: { name: 1 } })
  // @ts-expect-error a body where there is none
  await api.get('/trials/:trialId/groups', { params, body: {} })
  // @ts-expect-error an unknown query parameter
  await api.get('/trials/:trialId/logs', { params, query: { pgae: 2 } })
  // @ts-expect-error the parameter that chooses the form of the answer stands in the URL
  await api.get('/trials/:trialId/logs', { params, query: { format: 'csv' } })
  // @ts-expect-error a field of another form of the answer
  ;(await api.get(`/trials/${trial}/logs?format=csv`)).entries
  // @ts-expect-error a field of one form, where the answer may have another
  ;(await api.get(`/trials/${trial}/logs?${trial}`)).entries
  // @ts-expect-error a wrong field of the answer
  ;(await api.get('/trials/:trialId/groups', { params })).gruops
  // @ts-expect-error a wrong field of the answer of a URL
  ;(await api.get(`/trials/${trial}/groups`)).gruops
  // @ts-expect-error a moment is text on the wire
  ;(await api.get('/trials/:trialId', { params })).createdAt.toFixed()
  // @ts-expect-error a refusal has no typed body
  ;(await api.call('GET', '/trials/:trialId/groups', { params })).body.groups
}
