/** The grid of participants. */
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { Failure, LockBand, PageHead } from '#web/console/parts/parts'
import { participants } from './texts'

export function Page() {
  const { t } = participants.useTranslator()
  const { _id, name, trial } = useStudy()
  const { body, failure, reload } = useItem('listParticipants', '/trials/:trialId/participants', [_id], { page: 1 })
  return (
    <>
      <PageHead title={t('participants.title')} tab={`${t('participants.title')} · ${name}`} />
      <LockBand trial={trial} />
      {failure && <Failure failure={failure} onAgain={reload} />}
      <ul class="scroll">
        {body?.participants.map(({ _id, id }) => (
          <li key={_id}>{id}</li>
        ))}
      </ul>
    </>
  )
}
