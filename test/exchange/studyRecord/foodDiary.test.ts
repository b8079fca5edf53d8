/** Food diaries in study records (docs/exports.md, "Study records"). */
import { expect, test } from 'bun:test'
import { diaryStudy } from '../../conduct/foodDiary/diary.study'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has the diaries of all participants, and no table of them if there are none', async () => {
  const s = await diaryStudy()
  const record = async () => {
    const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
    return partsOf(await downloaded(s, recordOf(await ended(s.owner, jobId)).request))
  }
  expect([...(await record()).keys()]).not.toContain('food-diary.csv')
  await s.owner.post<'createFoodDiaryEntry'>(s.diary, {
    ...s.breakfast,
    portion: { ...s.breakfast.portion, description: '=1+1' },
  })
  await s.owner.do('createFoodDiaryEntry', s.trial, s.bert, { ...s.breakfast, meal: 'snack' })
  const parts = await record()
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
  expect(rowsIn(parts, 'food-diary.csv')).toMatchObject([
    { participantId: 'P-1', meal: 'breakfast', portionDescription: '=1+1', energy_kcal: '94.64' },
    { meal: 'snack', portionDescription: '1 medium' },
  ])
})
