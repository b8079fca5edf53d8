/** The writes that the server is killed under. Each returns how to find out later that it was kept whole. */

import { answers, guaranteeAt, statusOf, uploaded, type Write } from './guarantees'
import { incentiveWritesOf, prepareIncentives } from './incentiveWrites'
import { officeWritesOf, prepareOffice } from './officeWrites'
import { outsideWritesOf, prepareOutside } from './outsideWrites'
import { ask, type Gateway } from './server'

const dictionary = (n: number) =>
  [
    'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Field Note',
    `weight${n},form${n},,text,Weight,,`,
    `sex${n},form${n},,radio,Sex,"1, Male | 2, Female",`,
  ].join('\r\n')

/** Kinds that cannot be repeated: each upload has another name, so that what is sent with it is something else. */
export const unrepeatableKinds: ReadonlySet<string> = new Set(['upload', 'file', 'preview'])

export type Study = Awaited<ReturnType<typeof prepare>>

/** Makes the study that the writes are about. */
export async function prepare(api: Parameters<typeof prepareIncentives>[0] & { team: string }, gateway: Gateway) {
  const post = async (path: string, body: unknown) => (await ask(api, 'POST', path, body)).body
  const { _id: trial } = await post(`/teams/${api.team}/trials`, { name: 'Killed study' })
  const at = `/trials/${trial}`
  const { _id: pulse } = await post(`${at}/data-types`, { name: 'Pulse', code: 'pulse', format: 'integer' })
  const components = [{ id: 'pulse', title: 'Pulse', dataType: pulse }]
  const { _id: diary } = await post(`${at}/stages`, { name: 'Diary', adHoc: true, components })
  const reminders = [{ hour: 0, title: 'Visit', body: 'Please come.', sendVia: ['sms'] }]
  await post(`${at}/stages`, { name: 'Visit', components, reminders })
  const { participants } = await post(`${at}/participants`, {
    participants: [{ participantId: 'P-1', password: 'correct horse' }, { participantId: 'P-2' }],
  })
  const [own, other]: string[] = participants.map(({ _id }: { _id: string }) => _id)
  const { code } = (await ask(api, 'GET', at)).body
  const signIn = { trialCode: code, participantId: 'P-1', password: 'correct horse' }
  const { token } = await post('/participants/sessions', signIn)
  // The queries that files are attached to are about this response.
  const path = `${at}/participants/${other}/responses/${diary}`
  const { _id: seen } = (await ask(api, 'PUT', path, { response: { [pulse]: { value: 0 } } })).body
  const office = await prepareOffice(api, at)
  const incentives = await prepareIncentives(api, at, components)
  const outside = await prepareOutside(api, at, gateway)
  return { seen, trial, at, pulse, diary, own: own!, other: other!, token: `${token}`, office, incentives, outside }
}

/** All kinds of writes, by what they are called in a report. */
export function writesOf(study: Study): Readonly<Record<string, Write>> {
  const { seen, trial, at, pulse, diary, own, other, token } = study
  const pulseIn = (found: { response: Record<string, { value: number }> }) => found.response[pulse]?.value
  const response = (what: string, _id: string, n: number) =>
    guaranteeAt(`${what} ${n}`, `${at}/responses/${_id}`, ({ responses }) => pulseIn(responses[0]) === n)

  return {
    async submission(api, n) {
      const path = `${at}/participants/${other}/responses/${diary}`
      const { body } = await ask(api, 'PUT', path, { response: { [pulse]: { value: n } } })
      return response('the submission', body._id, n)
    },
    async 'own submission'(api, n) {
      const path = `/participants/trials/${trial}/stages/${diary}/responses`
      await ask({ ...api, key: token }, 'POST', path, { [pulse]: { value: n } })
      return guaranteeAt(
        `the participant’s submission ${n}`,
        `${at}/participants/${own}/responses`,
        ({ responses }) => responses.filter((each: Parameters<typeof pulseIn>[0]) => pulseIn(each) === n).length === 1,
      )
    },
    async draft(api, n) {
      const { body } = await ask(api, 'POST', `${at}/participants`, { participantId: `D-${n}` })
      const of = `${at}/participants/${body.participants?.[0]?._id ?? body._id}`
      await ask(api, 'PUT', `${of}/responses/${diary}?draft=true`, { response: { [pulse]: { value: n } } })
      return guaranteeAt(`the draft ${n}`, `${of}/responses`, ({ drafts }) =>
        drafts.some((each: never) => pulseIn(each) === n),
      )
    },
    async registration(api, n) {
      const ids = [1, 2, 3].map((each) => `R-${n}-${each}`)
      const { body } = await ask(api, 'POST', `${at}/participants`, {
        participants: ids.map((participantId) => ({ participantId })),
      })
      // A message is due to each as soon as there is a number.
      await ask(api, 'PUT', `${at}/participants/${body.participants[0]._id}`, { phone: '+49 30 901820' })
      return guaranteeAt(`the registration ${n}`, `${at}/participants?term=R-${n}-`, ({ total }) => total === 3)
    },
    async deletion(api, n) {
      const { body } = await ask(api, 'POST', `${at}/participants`, { participantId: `X-${n}` })
      const path = `${at}/participants/${body.participants?.[0]?._id ?? body._id}`
      await ask(api, 'DELETE', path, { reason: 'registered twice' })
      return { what: `the deletion ${n}`, holds: async (api) => (await statusOf(ask(api, 'GET', path))) === 404 }
    },
    async upload(api, n) {
      const content = `${n} `.repeat(5_000)
      const { body: asked } = await ask(api, 'POST', `${at}/queries`, { response: seen, text: `See file ${n}.` })
      const fileName = await uploaded(api, `map${n}.png`, content, `forType=query&forId=${asked._id}`)
      await ask(api, 'POST', `/queries/${asked._id}/messages`, { text: 'The map.', attachments: [fileName] })
      return {
        what: `the upload ${n}`,
        async holds(api) {
          const { messages } = (await ask(api, 'GET', `/queries/${asked._id}`)).body
          return answers(api, messages.at(-1).attachments[0].url, content)
        },
      }
    },
    async export(api, n) {
      if (n % 5 === 0) await ask(api, 'GET', `${at}/responses?type=csv`)
      const { jobId } = (await ask(api, 'POST', `${at}/study-record`, {})).body
      return {
        what: `the job ${n}`,
        async holds(api) {
          for (let tries = 0; tries < 3_000; tries++) {
            const { status } = (await ask(api, 'GET', `/jobs/${jobId}`)).body
            if (status !== 'pending') return status === 'done'
            await Bun.sleep(100)
          }
          return false
        },
      }
    },
    async import(api, n) {
      const importData = { source: 'redcap', content: dictionary(n) }
      const path = `${at}/stages?creationType=importFromExternalTool`
      const { body } = await ask(api, 'POST', path, { importData })
      return guaranteeAt(`the import ${n}`, `/stages/${body._id}`, ({ components }) => components.length === 2)
    },
    async configuration(api, n) {
      const { body } = await ask(api, 'POST', `${at}/groups`, { name: `Group ${n}` })
      await ask(api, 'PUT', `/groups/${body._id}`, { colour: `colour ${n}` })
      const { number } = (await ask(api, 'POST', `${at}/configuration-versions`, { note: `note ${n}` })).body
      const path = `${at}/configuration-versions/${number}`
      return guaranteeAt(`the version ${n}`, path, (found) => JSON.stringify(found).includes(`colour ${n}`))
    },
    ...officeWritesOf(study),
    ...incentiveWritesOf(study),
    ...outsideWritesOf(study),
  }
}
