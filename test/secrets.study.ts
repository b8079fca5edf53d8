/** A study with secrets. */
import { expect } from 'bun:test'
import { teams } from '#db/tables/index'
import { buildOnce } from './buildOnce'
import { everything, everythingIn } from './everything'

/** The secrets in the study, by kind: they may be shown only to people who may see them. */
export const trialSecrets = {
  restricted: {
    text: 'Quokkaflower',
    amended: 'Wombatflower',
    number: '7310457',
    'table cell': 'Zebrafinchine',
    'file name': 'axolotl-scan.pdf',
    calculation: '21931371',
    'calculation of a calculation': '21931372',
    score: '615243',
    'typed in a draft': 'Pangolinweed',
    'question about it': 'Why the capybara?',
    'file with the question': 'kiwi-question.pdf',
    'note on the change': 'Numbat misheard',
    'rule’s question about it': 'is 7310457',
    'Likert by statement': 'hidlikert_q1',
  },
  pii: { text: 'Larkspur Road 12', number: '8200113', calculation: '16400226' },
  personal: {
    name: 'Philippa Featherstone',
    email: 'featherstone@example.net',
    phone: '+493012345678',
    whatsapp: '+493087654321',
    born: '1931-07-13',
    device: 'SecretPhone/9',
    address: '203.0.113.77',
    'name of who is gone': 'Gwendolyn Departed',
    'name before it changed': 'Philippa Maidenname',
  },
} as const

/** Secrets of a participant at a site, hidden from accounts of other sites. */
export const ofTheSite = { 'open answer': 'Openlyspoken', 'participant ID': 'Northern-001' }

export const all = {
  restricted: trialSecrets.restricted,
  pii: trialSecrets.pii,
  personal: trialSecrets.personal,
  ofTheSite,
}
export type Secrets = { [Kind in keyof typeof all]: Record<keyof (typeof all)[Kind], string> }

/** The same secrets with other values of the same length and kind, so that people who may not see them notice no difference. */
export const otherwise: Secrets = {
  restricted: {
    ...trialSecrets.restricted,
    text: 'Marmosetleaf',
    amended: 'Tamarinsleaf',
    number: '8421568',
    'table cell': 'Goldcrestling',
    'file name': 'ocelots-scan.pdf',
    'typed in a draft': 'Tapirsblossom',
    'question about it': 'Why the chinchi?',
    'file with the question': 'emus-question.pdf',
    'note on the change': 'Possum misheard',
  },
  pii: { ...trialSecrets.pii, text: 'Juniper Street 7', number: '9311224' },
  personal: {
    name: 'Wilhelmina Ravensworth',
    email: 'ravensworth@example.net',
    phone: '+493012345699',
    whatsapp: '+493087654399',
    born: '1947-02-21',
    device: 'OtherPhones/4',
    address: '203.0.113.99',
    'name of who is gone': 'Leopoldine Leftlong',
    'name before it changed': 'Wilhelmina Formerly',
  },
  ofTheSite,
}

/** The path of an occurrence of the diary; without a number, of the next one. */
const answersOf = (trial: string, participant: string, diary: string) => (n?: number) =>
  `/trials/${trial}/participants/${participant}/responses/${diary}${n === undefined ? '' : `::${n}`}` as const

/** Answers by code, in the form in which they are sent. */
const bodyOf = (ids: Record<string, string>) => (answers: Record<string, unknown>) => ({
  response: Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, { value }])),
})

async function plant({ restricted: hidden, pii: own, personal, ofTheSite }: Secrets) {
  const every = await everything()
  const { owner, trial, anna, service } = every
  const of = async (dataType: Record<string, unknown>) =>
    (await owner.do('createDataType', trial, { name: dataType.code, ...dataType }))._id
  const restricted = { isRestricted: true }
  const pii = { isPii: true }
  const ids: Record<string, string> = {
    open: await of({ code: 'open', format: 'text' }),
    hidtext: await of({ code: 'hidtext', format: 'text', ...restricted }),
    hidnumber: await of({ code: 'hidnumber', format: 'integer', ...restricted }),
    hidtable: await of({
      code: 'hidtable',
      format: 'table',
      columns: [{ id: 'a', label: 'A', format: 'text' }],
      ...restricted,
    }),
    hidlikert: await of({
      code: 'hidlikert',
      format: 'likert',
      scale: [0, 1].map((value) => ({ value, label: `level ${value}` })),
      statements: [{ key: 'q1', label: 'Calm' }],
      ...restricted,
    }),
    hidchoice: await of({
      code: 'hidchoice',
      format: 'choice',
      options: [{ label: 'A' }, { label: 'B' }],
      ...restricted,
    }),
    hidfile: await of({ code: 'hidfile', format: 'file', ...restricted }),
    thrice: await of({ code: 'thrice', format: 'calculation', expression: 'hidnumber * 3' }),
    onemore: await of({ code: 'onemore', format: 'calculation', expression: 'thrice + 1' }),
    piitext: await of({ code: 'piitext', format: 'text', ...pii }),
    piinumber: await of({ code: 'piinumber', format: 'integer', ...pii }),
    twice: await of({ code: 'twice', format: 'calculation', expression: 'piinumber * 2' }),
  }
  const points = (points: number) => ({ id: `by${points}`, points, operator: 'more', value: 1000 })
  const components = Object.entries(ids).map(([code, dataType]) => ({
    id: code,
    title: code,
    dataType,
    ...(code === 'hidnumber' ? { scoringRules: [points(600_000), points(15_243)] } : {}),
  }))
  // The actions of the score name the participant.
  const high = { id: 'high', operator: 'more', scoreThreshold: 600_000 } as const
  const onSubmitRules = [{ id: 'tell', conditions: [high], actions: [{ id: 'team', type: 'notifyTeam' }] }]
  const diary = await owner.do('createStage', trial, { name: 'Diary', components, adHoc: true, onSubmitRules })
  const at = answersOf(trial, anna, diary._id)
  const body = bodyOf(ids)
  await owner.do('updateTrial', trial, { smartAutomaticQueriesEnabled: true })
  await owner.do('updateParticipant', trial, anna, { id: ofTheSite['participant ID'] })
  const { name, email, phone, whatsapp } = personal
  await owner.do('updateParticipant', trial, anna, { name: personal['name before it changed'] })
  await owner.do('updateParticipant', trial, anna, { name, email, phone, whatsapp, dob: personal.born })
  for (let value = 11; value < 18; value++) await owner.put<'enterResponse'>(at(), body({ hidnumber: value }))

  const type = 'application/pdf'
  const upload = async (name: string, forType: string, forId: string): Promise<string> => {
    const query = new URLSearchParams({ name, size: '3', type, forType, forId })
    const asked = await owner.get<'requestFileUpload'>(`/uploads/file/request?${query}`)
    await every.fetch(asked.signedRequestURL, { method: 'PUT', body: 'abc', headers: { 'Content-Type': type } })
    return asked.fileName
  }
  const file = { fileName: await upload(hidden['file name'], 'participant', anna), name: hidden['file name'] }
  const answers = {
    open: ofTheSite['open answer'],
    hidtext: hidden.text,
    hidnumber: Number(hidden.number),
    hidtable: [{ a: hidden['table cell'] }],
    hidlikert: { q1: 1 },
    hidchoice: ['B'],
    hidfile: file,
    piitext: own.text,
    piinumber: Number(own.number),
  }
  const response = (await owner.put<'enterResponse'>(at(), body(answers)))._id
  await service.services.tick()
  await owner.put<'enterResponse'>(at(7), {
    ...body({ hidtext: hidden.amended }),
    updateNote: hidden['note on the change'],
  })
  await owner.put(`${at(7)}?draft=true`, body({ hidtext: hidden['typed in a draft'] }))
  await owner.do('verifyResponse', trial, response)
  const text = hidden['question about it']
  const query = (await owner.do('raiseQuery', trial, { response, dataType: ids.hidtext, text }))._id
  const attached = await upload(hidden['file with the question'], 'query', query)
  await owner.do('answerQuery', query, { text: 'See there.', attachments: [attached] })

  // The participant's own device: signing in, changing something, submitting.
  const device = { headers: { 'User-Agent': personal.device } }
  const { code } = await owner.do('readTrial', trial)
  const away = every.person({}, personal.address)
  const credentials = { trialCode: code, participantId: ofTheSite['participant ID'], password: 'correct horse' }
  const { token } = await away.post('/participants/sessions', credentials, device)
  const self = every.person({ Authorization: `Bearer ${token}` }, personal.address)
  await self.put('/participants/me', { timezone: 'Europe/Paris' }, device)
  const sent = body({ open: 'from the phone' }).response
  const submitted = await self.post(`/participants/trials/${trial}/stages/${diary._id}/responses`, sent, device)
  // The first of these was refused: a refusal stores nothing of the device either.
  await away.call('POST', '/participants/sessions', { ...credentials, password: 'wrong' }, device)

  const gone = (await owner.do('registerParticipants', trial, { participantId: 'P-gone' }))._id
  await owner.do('updateParticipant', trial, gone, { name: personal['name of who is gone'] })
  const known = (await owner.do('readLogs', trial)).entries
  expect(JSON.stringify(known)).toContain(personal['name of who is gone'])
  // Purged at once: what is kept of a deletion can be read until then.
  every.db.update(teams).set({ deletionGraceDays: 0 }).run()
  await owner.do('deleteParticipant', trial, gone, { reason: 'asked to be forgotten' })
  every.db.update(teams).set({ deletionGraceDays: 30 }).run()

  // The background reads the documents of files: it is done in all these worlds, so that answers are the same.
  const reading = every.db.$client.query(`SELECT 1 FROM masterFileVersionTexts WHERE state = 'waiting'`)
  for (await service.services.tick(); reading.get(); await service.services.tick()) await Bun.sleep(5)

  return {
    w: every,
    made: {
      every: every.made,
      itself: self.credentials,
      ids,
      diary: diary._id as string,
      query,
      response,
      submitted: submitted._id as string,
    },
  }
}

export async function secretStudy(secrets: Secrets = all) {
  const { w, made } = await buildOnce(`secrets ${JSON.stringify(secrets)}`, () => plant(secrets))
  const every = everythingIn(w, made.every)
  const { ids, diary, query, response, submitted } = made
  Object.assign(every.params, { responseId: response, queryId: query, stageId: diary, dataTypeId: ids.hidtext })
  every.bodies['POST /trials/:trialId/queries'] = { response, text: 'And this?' }
  return {
    ...every,
    itself: w.person(made.itself, trialSecrets.personal.address),
    hidden: ids,
    diary,
    at: answersOf(every.trial, every.anna, diary),
    body: bodyOf(ids),
    response,
    submitted,
  }
}

export type SecretStudy = Awaited<ReturnType<typeof secretStudy>>
