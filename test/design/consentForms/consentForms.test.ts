import { expect, test } from 'bun:test'
import { consentForms } from '#db/tables/index'
import { world } from '../../harness'

const document = '<p>What the study asks of you.</p>'

function forms() {
  const w = world()
  const id = w.trial()
  const url = `/trials/${id}/consentDocuments` as const
  return { ...w, id, url }
}

test('a form is created with defaults, changed, and deleted; its versions stay as they were', async () => {
  const { owner, url, id } = forms()
  const form = await owner.do('createConsentForm', id, { document, notificationEmail: 'team@example.org' })
  expect(form).toMatchObject({
    ...{ trial: id, document, formKey: 'main', name: null, version: 1, reconsentFrom: null, consentCount: 0 },
    ...{ verificationMethods: ['email'], signatureMethods: ['drawn', 'typed'], conditions: [], quiz: [] },
  })
  const one = `${url}/${form._id}` as const
  expect(await owner.patch<'updateConsentForm'>(one, { name: 'Adults' })).toMatchObject({
    name: 'Adults',
    version: 1,
    document,
  })
  const changed = await owner.patch<'updateConsentForm'>(one, {
    document: '<p>It asks more.</p>',
    requiresReconsent: true,
    conditions: [{ title: 'I agree.' }],
  })
  expect(changed).toMatchObject({ version: 2, reconsentFrom: 2, notificationEmail: 'team@example.org' })
  expect(changed.conditions).toEqual([
    { id: expect.any(String), title: 'I agree.', description: null, optional: false, requiresInitials: false },
  ])
  expect((await owner.do('listConsentForms', id)).documents).toEqual([changed])
  expect((await owner.do('listConsentFormVersions', id, form._id)).versions.map(({ number }) => number)).toEqual([2, 1])
  expect((await owner.do('readConsentFormVersion', id, form._id, '1')).content).toMatchObject({
    document,
    conditions: [],
  })
  expect(await owner.delete<'deleteConsentForm'>(one)).toEqual({})
  expect(await owner.do('listConsentForms', id)).toEqual({ documents: [] })
})

test('what a form returned can be sent back without a new version', async () => {
  const { owner, url, id } = forms()
  const form = await owner.do('createConsentForm', id, {
    document,
    quiz: [{ question: 'Why?', options: ['A', 'B'], correct: 1 }],
  })
  const { status, body } = await owner.call('PATCH', `${url}/${form._id}`, form)
  expect([status, body]).toEqual([200, form])
})

test('keys are unique without regard to case; the default is a free one', async () => {
  const { owner, url, id } = forms()
  await owner.do('createConsentForm', id, { document, formKey: 'Main' })
  expect((await owner.do('createConsentForm', id, { document })).formKey).toBe('main2')
  expect((await owner.call('POST', url, { document, formKey: 'MAIN2' })).status).toBe(400)
})

test('nothing of hostile HTML stays', async () => {
  const { owner, id } = forms()
  const hostile =
    '<p onclick="x()">Read<script>alert(1)</script><a href="javascript:x()">this</a><img src=x onerror=y></p>'
  expect((await owner.do('createConsentForm', id, { document: hostile })).document).toBe('<p>Read<a>this</a></p>')
})

test.each([
  [{ document: '<script>alert(1)</script>' }, 'document'],
  [{ document: 'abc' }, 'document'],
  [{ document, formKey: 'a-b' }, 'formKey'],
  [{ document, verificationMethods: [] }, 'verificationMethods'],
  [{ document, requiredVerificationMethods: ['phone'] }, 'requiredVerificationMethods'],
  [{ document, signatureMethods: ['typed', 'typed'] }, 'signatureMethods'],
  [{ document, postConsentStage: '0'.repeat(24) }, 'postConsentStage'],
  [{ document, quiz: [{ question: 'Why?', options: ['A', 'B'], correct: 2 }] }, 'quiz'],
  [{ document, conditions: [1, 2].map(() => ({ id: 'a', title: 'I agree.' })) }, 'conditions'],
])('refuses the form %j', async (body, field) => {
  const { owner, url } = forms()
  const { status, body: answer } = await owner.call('POST', url, body)
  expect([status, Object.keys(answer.validations.json)]).toEqual([422, [field]])
})

test('a form with consents, and a stage that a form offers, are not deleted', async () => {
  const { owner, url, id, db } = forms()
  const stage = await owner.do('createStage', id, { name: 'Screening' })
  const form = await owner.do('createConsentForm', id, { document, postConsentStage: stage._id })
  expect((await owner.call('DELETE', `/stages/${stage._id}`)).status).toBe(400)
  db.update(consentForms).set({ consentCount: 1 }).run()
  expect((await owner.call('DELETE', `${url}/${form._id}`)).status).toBe(400)
})

test('a person without the permission, and one of another trial, learn nothing', async () => {
  const { owner, staff, trial, url, id } = forms()
  const form = await owner.do('createConsentForm', id, { document })
  expect((await staff(id, ['trial.read']).call('GET', url)).status).toBe(403)
  expect((await staff(id, ['trial.readConsentSettings']).call('GET', url)).status).toBe(200)
  const other = trial()
  expect((await staff(other, ['trial.admin']).call('GET', url)).status).toBe(404)
  expect(
    (await staff(other, ['trial.admin']).call('DELETE', `/trials/${other}/consentDocuments/${form._id}`)).status,
  ).toBe(404)
})

test('a copy of a trial has the newest version of each form as its first, without the addresses', async () => {
  const { owner, id, team } = forms()
  const form = await owner.do('createConsentForm', id, { document, withdrawalEmail: 'team@example.org' })
  await owner.do('updateConsentForm', id, form._id, { document: '<p>Newest.</p>' })
  const copy = await owner.do('createTrial', team, { name: 'Copy', copyFrom: id })
  const { documents } = await owner.do('listConsentForms', copy._id)
  expect(documents).toMatchObject([{ document: '<p>Newest.</p>', version: 1, withdrawalEmail: null, formKey: 'main' }])
})
