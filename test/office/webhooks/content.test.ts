/** What webhooks are told, who may have them told it, and how they know who told them. */
import { describe, expect, test } from 'bun:test'
import { appendEntry } from '#audit/append'
import { DAY, HOUR } from '#kernel/time'
import { isSignedWith, receiver, webhookStudy } from './receiver'

test('a submission is told with its ids and answers, signed, and answered before it is told', async () => {
  const hub = receiver()
  const s = await webhookStudy()
  const { _id, secret } = await s.hook(hub.url, ['response.submitted', 'response.changed'])
  const { _id: response } = (await s.enter({ pulse: 60, symptom: 'cough' })).body
  expect(hub.received).toEqual([])
  expect(await s.log(_id)).toEqual([])
  await s.tick()
  const [first] = hub.take()
  expect(JSON.parse(first!.body)).toEqual({
    type: 'response.submitted',
    timestamp: s.now(),
    data: {
      trial: s.trial,
      by: { type: 'user', _id: s.owner._id },
      participant: s.anna,
      participantId: 'P-1',
      response,
      stage: s.stage,
      stageRecurrence: 0,
      submission: expect.any(Number),
      partialSubmission: false,
      changes: [
        { dataType: s.ids.symptom, code: 'symptom', value: 'cough', replaced: null },
        { dataType: s.ids.pulse, code: 'pulse', value: 60, replaced: null },
        { dataType: s.ids.double, code: 'double', value: 120, replaced: null },
      ],
    },
  })
  expect(isSignedWith(secret, first!)).toBe(true)
  expect(isSignedWith(secret, { ...first!, body: `${first!.body} ` })).toBe(false)
  expect(first!.headers.get('webhook-timestamp')).toBe(`${Date.parse(s.now()) / 1000}`)
  expect(first!.headers.get('content-type')).toBe('application/json')
  expect(first!.headers.get('user-agent')).toMatch(/^Trialbox\//)

  await s.enter({ pulse: 61 })
  await s.enter({ pulse: 61 }) // nothing changed
  await s.tick()
  const [changed, ...none] = hub.take()
  expect(none).toEqual([])
  expect([changed!.type, changed!.data.changes]).toMatchObject(['response.changed', [{ value: 61, replaced: 60 }, {}]])
  await s.enter({ pain: 5 })
  await s.enter({ pulse: 62 })
  await s.tick()
  expect(hub.take().map(({ data }) => data.changes[0])).toMatchObject([
    { code: 'pain', value: 5, replaced: null },
    { code: 'pulse', value: 62, replaced: 61 },
  ])
  expect((await s.log(_id)).slice(2)).toMatchObject([
    {
      event: 'response.changed',
      status: 'delivered',
      participant: s.anna,
      attempts: [{ code: 200, answer: 'thanks' }],
    },
    { event: 'response.submitted', status: 'delivered', _id: first!.id },
  ])
})

test('every noun of the study tells of itself, in the order of the audit trail', async () => {
  const hub = receiver()
  const s = await webhookStudy()
  const { owner, trial, anna } = s
  const all: string[] = [
    ...['response.submitted', 'response.changed', 'response.verified', 'response.unverified', 'response.deleted'],
    ...['participant.registered', 'participant.changed', 'participant.erased', 'participant.deleted'],
    ...['query.opened', 'query.answered', 'query.reopened', 'query.closed', 'message.sent', 'message.received'],
    ...['file.created', 'file.changed', 'file.deleted', 'siteIssue.raised', 'siteIssue.resolved', 'siteIssue.deleted'],
    ...['configuration.versionCreated', 'pack.assigned', 'pack.unassigned', 'pack.changed'],
  ]
  const { events } = await owner.do('createWebhook', trial, {
    name: 'All',
    url: hub.url,
    events: all,
  })
  expect(events).toHaveLength(25)
  const response = (await s.enter({ pulse: 60 })).body._id
  const query = (await owner.do('raiseQuery', trial, { response, text: 'Is this right?' }))._id
  const colleague = s.staff(trial, ['trial.admin'])
  await colleague.do('answerQuery', query, { text: 'It is.' })
  await owner.do('answerQuery', query, { text: 'Really?' })
  await owner.do('updateQuery', query, { status: 'closed' })
  await owner.do('setResponseStatus', trial, response, { status: 'successful' })
  await owner.do('verifyResponse', trial, response)
  await owner.do('unverifyResponse', trial, response)
  await owner.call('DELETE', `/trials/${trial}/responses/${response}`, { reason: 'twice' })
  await owner.do('sendMessage', trial, anna, { message: 'Hello' })
  await (await s.signIn()).do('sendOwnMessage', { message: 'Well' })
  const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
  await owner.do('addSiteMember', site, anna)
  const file = (await owner.do('createFile', trial, { name: 'Protocol' }))._id
  await owner.do('updateFile', file, { name: 'Plan' })
  await owner.call('DELETE', `/files/${file}`, { reason: 'old' })
  const visit = (await owner.do('createMonitoringVisit', site, { id: 'MV-1' }))._id
  const issue = (await owner.do('createSiteIssue', visit, { name: 'No date' }))._id
  await owner.do('updateSiteIssue', issue, { status: 'resolved' })
  await owner.do('deleteSiteIssue', issue)
  const packType = (await owner.do('createPackType', trial, { name: 'Tablets' }))._id
  const { packs } = await owner.do('createPacks', trial, { packType, name: 'K-1' })
  const pack = packs[0]!._id
  await owner.do('assignPack', trial, anna, pack)
  await owner.do('unassignPack', trial, anna, pack)
  await owner.do('recordPackEvent', pack, { type: 'lost', reason: 'gone' })
  await owner.do('createConfigurationVersion', trial)
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  await owner.do('erasePersonalInformation', trial, anna, { reason: 'asked' })
  const dora = (await owner.do('registerParticipants', trial, { participantId: 'P-9' }))._id
  await owner.call('DELETE', `/trials/${trial}/participants/${dora}`, { reason: 'twice' })
  await s.tick()
  const of = (subject: (data: Record<string, unknown>) => boolean) =>
    hub.received.filter(({ data }) => subject(data)).map(({ type }) => type)
  expect(of(({ participant }) => participant === anna)).toEqual([
    ...['response.submitted', 'query.opened', 'query.answered', 'query.reopened', 'query.closed', 'response.changed'],
    ...['response.verified', 'response.unverified', 'response.deleted', 'message.sent', 'message.received'],
    ...['participant.changed', 'pack.assigned', 'pack.unassigned', 'participant.changed', 'participant.erased'],
  ])
  expect(of(({ participant }) => participant === dora)).toEqual(['participant.registered', 'participant.deleted'])
  expect(of((data) => data.file === file)).toEqual(['file.created', 'file.changed', 'file.deleted'])
  expect(of((data) => data.siteIssue === issue)).toEqual([
    'siteIssue.raised',
    'siteIssue.resolved',
    'siteIssue.deleted',
  ])
  expect(of((data) => data.pack === pack && !data.participant)).toEqual(['pack.changed'])
  expect(hub.types()).toContain('configuration.versionCreated')
  expect(hub.received).toHaveLength(26)
  // Texts that people wrote, and the addresses of staff, are nowhere.
  for (const { body } of hub.received)
    expect(body).not.toMatch(/right|Really|It is|Hello|Well|twice|asked|old|gone|No date|Protocol|Plan|example\.org/)
  expect(hub.received.find(({ type }) => type === 'participant.deleted')!.data.participantId).toBe('P-9')
})

test('of an uploaded file, receivers are told neither the content nor the name', async () => {
  const hub = receiver()
  const s = await webhookStudy()
  await s.hook(hub.url, ['response.submitted'])
  const about = `name=anna-quux.pdf&size=4&type=application/pdf&forType=participant&forId=${s.anna}`
  const { signedRequestURL, fileName } = await s.owner.get<'requestFileUpload'>(
    `/uploads/file/request?${about}` as const,
  )
  await s.fetch(signedRequestURL, { method: 'PUT', body: 'scan', headers: { 'Content-Type': 'application/pdf' } })
  await s.enter({ letter: { fileName, name: 'anna-quux.pdf' } })
  await s.tick()
  expect(hub.received[0]!.data.changes).toMatchObject([{ code: 'letter', value: { isUpload: true }, replaced: null }])
  expect(hub.received[0]!.body).not.toMatch(/quux|\.pdf/)
})

describe('sensitive content', () => {
  const sensitive = async () => {
    const s = await webhookStudy()
    const { owner, ids } = s
    await owner.do('updateDataType', ids.symptom!, { isPii: true })
    await owner.do('updateDataType', ids.pulse!, { isRestricted: true })
    await owner.do('updateParticipant', s.trial, s.anna, {
      name: 'Anna Ek',
      email: 'anna@example.org',
      dob: '1980-01-02',
    })
    return s
  }
  const codesIn = (each: { data: { changes: { code: string }[] } } | undefined) =>
    each!.data.changes.map(({ code }) => code)

  test('is told only if it is chosen; a calculation is as sensitive as what it is made of', async () => {
    const [plain, restricted, personal, both] = [receiver(), receiver(), receiver(), receiver()]
    const s = await sensitive()
    const events = ['response.submitted', 'participant.changed']
    await s.hook(plain.url, events)
    await s.hook(restricted.url, events, { includes: ['restrictedAnswers'] })
    await s.hook(personal.url, events, { includes: ['personalInformation'] })
    await s.hook(both.url, events, { includes: ['personalInformation', 'restrictedAnswers'] })
    await s.enter({ symptom: 'cough', pulse: 60, pain: 5 })
    await s.owner.do('updateParticipant', s.trial, s.anna, { phone: '+44 7700 900123' })
    await s.tick()
    expect(codesIn(plain.received[0])).toEqual(['pain'])
    expect(codesIn(restricted.received[0])).toEqual(['pulse', 'pain', 'double'])
    expect(codesIn(personal.received[0])).toEqual(['symptom', 'pain'])
    expect(codesIn(both.received[0])).toEqual(['symptom', 'pulse', 'pain', 'double'])
    for (const hub of [plain, restricted])
      expect(hub.received[1]!.body).not.toMatch(/Anna|example\.org|7700 ?900123|\b1980\b/)
    expect(plain.received[1]!.data).not.toHaveProperty('personal')
    for (const hub of [personal, both])
      expect(hub.received[1]!.data.personal).toEqual({
        ...{ name: 'Anna Ek', dob: '1980-01-02', email: 'anna@example.org', phone: '+44 7700 900123', whatsapp: null },
      })
  })

  test('that was erased or restricted since the event is not told any more', async () => {
    const hub = receiver(() => new Response('later', { status: 503 }))
    const s = await sensitive()
    const all = { includes: ['personalInformation', 'restrictedAnswers'] }
    await s.hook(hub.url, ['response.submitted'], all)
    const restricting = receiver(() => new Response('later', { status: 503 }))
    await s.hook(restricting.url, ['response.submitted'])
    await s.enter({ symptom: 'cough', pulse: 60, pain: 5 })
    await s.tick()
    expect(codesIn(hub.received.at(-1))).toContain('symptom')
    expect(codesIn(restricting.received.at(-1))).toEqual(['pain'])
    await s.owner.do('updateDataType', s.ids.pain!, { isRestricted: true })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked' })
    await s.wait(HOUR)
    expect(hub.received.at(-1)!.body).not.toContain('cough')
    expect(codesIn(restricting.received.at(-1))).toEqual([])
  })

  test('a receiver that repeats what it was sent: the log hides it with the personal information, and erases it', async () => {
    const hub = receiver(({ body }) => new Response(body))
    const s = await sensitive()
    const { _id } = await s.hook(hub.url, ['participant.changed'], { includes: ['personalInformation'] })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.tick()
    const answer = async () => (await s.log(_id)).at(-1)!.attempts[0]!.answer
    expect(await answer()).toContain('Anna Ek')
    const manager = s.staff(s.trial, ['trial.manageWebhooks'])
    const { body } = await manager.call('GET', `/webhooks/${_id}/deliveries`)
    expect(body.deliveries[0].attempts[0]).not.toHaveProperty('answer')
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked' })
    expect(await answer()).toBeNull()
  })

  test('is chosen only by those who may read it, and so is every address that gets it', async () => {
    const s = await sensitive()
    const url = receiver().url
    const manage = 'trial.manageWebhooks'
    const path = `/trials/${s.trial}/webhooks` as const
    const reader = s.staff(s.trial, [manage, 'trial.read'])
    const plain = { name: 'Mine', url, events: ['response.submitted', 'participant.changed'] }
    expect((await reader.call('POST', path, plain)).status).toBe(200)
    for (const includes of [['personalInformation'], ['restrictedAnswers']]) {
      const refused = await reader.call('POST', path, { ...plain, includes })
      expect(refused).toMatchObject({ status: 403, body: { details: { needs: expect.any(Array) } } })
    }
    const only = s.staff(s.trial, [manage])
    expect((await only.call('POST', path, { ...plain, events: ['response.submitted'] })).status).toBe(403)
    expect((await only.call('POST', path, { ...plain, events: ['message.sent'] })).status).toBe(403)

    const { _id } = await s.hook(url, plain.events, { includes: ['personalInformation'] })
    for (const change of [{ url: 'http://127.0.0.1:9/' }, { name: 'Other' }, { isEnabled: true }])
      expect((await reader.call('PUT', `/webhooks/${_id}`, change)).status).toBe(403)
    expect((await reader.call('POST', `/webhooks/${_id}/secret`, {})).status).toBe(403)
    expect((await reader.call('PUT', `/webhooks/${_id}`, { includes: [] })).status).toBe(200)
    expect((await reader.call('PUT', `/webhooks/${_id}`, { name: 'Other' })).status).toBe(200)
  })

  test('permissions on a site are not enough, and those of other trials and teams see nothing', async () => {
    const s = await webhookStudy()
    const { _id } = await s.hook(receiver().url, ['response.submitted'])
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const atSite = s.staff(s.trial, ['trial.admin'], site)
    expect((await atSite.call('GET', `/webhooks/${_id}`)).status).toBe(403)
    const { owner } = s.neighbours()
    for (const path of ['', '/deliveries'])
      expect((await owner.call('GET', `/webhooks/${_id}${path}`)).status).toBe(404)
    const other = await s.hook(receiver().url, ['query.opened'])
    const test = (await s.owner.do('testWebhook', _id))._id
    const swapped = await s.owner.call('POST', `/webhooks/${other._id}/deliveries/${test}/redelivery`, {})
    expect(swapped.status).toBe(404)
  })
})

test('the address is shown and logged as host and hash, sent back unchanged, and called as it was entered', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  const address = `${hub.url}?token=TOPSECRET`
  const host = new URL(hub.url).origin
  const made = await s.hook(address, ['response.submitted'])
  expect(made.url).toMatch(new RegExp(`^${host}/#sha256:[0-9a-f]{16}$`))
  const path = `/webhooks/${made._id}` as const
  const read = await s.owner.do('readWebhook', made._id)
  expect((await s.owner.do('updateWebhook', made._id, { ...read, name: 'Renamed' })).url).toBe(made.url)
  expect(s.db.$client.query('SELECT name, url FROM webhooks').get()).toEqual({ name: 'Renamed', url: address })
  expect((await s.owner.do('testWebhook', made._id)).status).toBe('delivered')
  // What another address looks like is no address.
  const other = `${host}/#sha256:${'0'.repeat(16)}`
  expect((await s.owner.call('PUT', path, { url: other })).status).toBe(422)
  const moved = (await s.owner.do('updateWebhook', made._id, { url: `${hub.url}?token=TOPSECRET2` })).url
  expect(moved).not.toBe(made.url)
  await s.owner.do('deleteWebhook', made._id)
  const { entries } = await s.owner.do('readLogs', s.trial)
  const about = entries.filter(({ type }) => /^(create|update|delete)Webhook$/.test(type))
  expect(about.map(({ event }) => event)).toMatchObject([
    { before: { url: moved, name: 'Renamed' } },
    { before: { url: made.url }, after: { url: moved } },
    { before: { name: 'Hub' }, after: { name: 'Renamed' } },
    { after: { url: made.url, name: 'Hub' } },
  ])
  expect(about[2]!.event.after).toEqual({ name: 'Renamed' })
  const kept = s.db.$client.query<{ event: string }, []>('SELECT event FROM auditEntries').all()
  expect(JSON.stringify([entries, kept])).not.toContain('TOPSECRET')
})

test('entries that an older version wrote with the whole address are shown without it', async () => {
  const s = await webhookStudy()
  const url = 'https://hooks.example.org/services/TOPSECRET'
  s.db.transaction(() =>
    appendEntry(s.db, {
      chain: s.trial,
      createdAt: 0,
      type: 'updateWebhook',
      userType: 'user',
      event: { before: { url }, after: { url: `${url}2`, name: 'Hub' } },
    }),
  )
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'updateWebhook' })
  const shown = expect.stringMatching(/^https:\/\/hooks\.example\.org\/#sha256:[0-9a-f]{16}$/)
  expect(entries.map(({ event }) => event)).toMatchObject([
    { before: { url: shown }, after: { url: shown, name: 'Hub' } },
  ])
})

describe('the secret', () => {
  test('is shown once, stored encrypted, and never in the audit trail', async () => {
    const s = await webhookStudy()
    const { _id, secret } = await s.hook(receiver().url, ['response.submitted'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await s.owner.do('readWebhook', _id)).not.toHaveProperty('secret')
    await s.owner.do('updateWebhook', _id, { name: 'Renamed' })
    const { body } = await s.owner.call('GET', `/trials/${s.trial}/logs`)
    expect(body.entries[0]).toMatchObject({ type: 'updateWebhook', event: { before: { name: 'Hub' } } })
    s.service.flush()
    const bytes = JSON.stringify(s.db.$client.query('SELECT * FROM webhooks').all())
    const log = JSON.stringify(s.db.$client.query('SELECT event FROM auditEntries').all())
    for (const each of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('base64url')])
      for (const text of [bytes, log]) expect(text).not.toContain(each)
    expect(log).not.toContain('"secret"')
  })

  test('is replaced while the old one still counts, for a day or as long as is asked', async () => {
    const hub = receiver()
    const s = await webhookStudy()
    const { _id, secret: first } = await s.hook(hub.url, ['response.changed'])
    const { secret: second } = await s.owner.do('rotateWebhookSecret', _id)
    const told_ = async () => {
      await s.owner.do('testWebhook', _id)
      const [last] = hub.take()
      return (secret: string) => isSignedWith(secret, last!)
    }
    expect([first, second].map(await told_())).toEqual([true, true])
    s.clock(DAY)
    expect([first, second].map(await told_())).toEqual([false, true])
    const { secret: third, previousSecretUntil } = await s.owner.do('rotateWebhookSecret', _id, { overlapHours: 0 })
    expect(previousSecretUntil).toBeNull()
    expect([second, third].map(await told_())).toEqual([false, true])
  })
})
