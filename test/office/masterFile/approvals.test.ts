/** The report and the zip say who approved or rejected each version, when, and what they commented. */
import { expect, test } from 'bun:test'
import { rowsIn } from '../../exchange/studyRecord/archive'
import { firstOf, present } from '../../present'
import { reportStudy } from './masterFile.study'

test('decisions are in the report and the zip, as far as the reader may see them', async () => {
  const s = await reportStudy()
  const chief = s.staff(s.trial, ['trial.approveFiles'])
  const file = (await s.add({ name: 'Protocol', type: 'protocol' }))._id
  await s.version(file, 'one')
  const approvers = [{ id: chief._id, role: 'Chief investigator' }, { email: 'sponsor@example.com' }]
  const decide = async (decision: string, comment: string) => {
    const { _id } = await s.owner.do('createFileApproval', file, { approvers })
    await chief.do('decideFileApproval', file, _id, { decision, comment })
  }
  await decide('rejected', 'Page 3 is missing.')
  await s.version(file, 'two')
  await decide('approved', 'Complete now.')
  const open = (await s.report()).text
  const { name } = present(firstOf(firstOf((await s.owner.do('listFileApprovals', file)).approvals).approvers))
  for (const words of [
    ...[`Rejected by ${name} (Chief investigator) on`, 'Comment: Page 3 is missing.', 'Comment: Complete now.'],
    ...[`Approved by ${name} (Chief investigator) on`, 'not decided: sponsor@example.com.'],
  ])
    expect(open).toContain(words)
  expect(open).not.toContain('Status set by')
  const { parts } = await s.archive()
  expect(rowsIn(parts, 'approvals.csv')).toMatchObject([
    {
      ...{ path: 'trial/protocol/Protocol v1.pdf', number: '1', request: 'rejected', approver: name },
      ...{ role: 'Chief investigator', decision: 'rejected', comment: 'Page 3 is missing.', byLink: 'false' },
    },
    { approver: 'sponsor@example.com', request: 'rejected', decision: '', decidedAt: '', comment: '' },
    { number: '2', request: 'open', decision: 'approved', comment: 'Complete now.' },
    { approver: 'sponsor@example.com', request: 'open', decision: '' },
  ])
  expect(parts.get('index.html')!.toString()).toContain('Page 3 is missing.')

  // Whoever sees approved versions only sees the reviews that ended with an approval.
  const auditor = s.staff(s.trial, ['trial.readApprovedFiles'])
  expect((await s.archive({}, auditor)).parts.get('index.html')!.toString()).not.toContain('Protocol')
  await s.version(file, 'three', { status: 'approved' })
  const other = (await s.add({ name: 'Manual', type: 'sop' }))._id
  await s.version(other, 'the manual')
  const asked = await s.owner.do('createFileApproval', other, { approvers: [{ id: chief._id }] })
  await chief.do('decideFileApproval', other, asked._id, { decision: 'approved', comment: 'All right.' })
  const seen = (await s.report({}, auditor)).text
  for (const words of ['Status set by Olga Owner on', 'Comment: All right.']) expect(seen).toContain(words)
  for (const words of ['Page 3', 'Complete now', 'sponsor@example.com']) expect(seen).not.toContain(words)
  const zipped = (await s.archive({}, auditor)).parts
  expect(rowsIn(zipped, 'approvals.csv').map(({ file }) => file)).toEqual(['Manual'])
  expect([...zipped.values()].join('\n')).not.toContain('Page 3')
})
