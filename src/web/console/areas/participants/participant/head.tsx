import { useState } from 'preact/hooks'
import { useStudy } from '#web/console/data/study'
import { staffLanguage } from '#web/console/lang/texts'
import { Band, Icon, PageHead } from '#web/console/parts/parts'
import { pathIn } from '#web/console/shell/router'
import { createFormatter } from '#web/form/valueFormatter'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button } from '#web/kit/ui/components'
import { useTranslator } from './texts'

export type Participant = AnswerOf<'readParticipant'>

/** The names of things by their ids, of those that the person may list. */
const named = (ids: readonly string[], list: readonly { _id: string; name: string }[]): string[] =>
  ids.flatMap((id) => list.find((each) => each._id === id)?.name ?? [])

/** The head of a participant: the ID and the state. Contact details are shown when somebody asks for them. */
export function ParticipantHead({ participant, zone }: { participant: Participant; zone: string }) {
  const { t, count } = useTranslator()
  const { segment, sites, groups } = useStudy()
  const [isContactShown, setContactShown] = useState(false)
  const { id, isArchived, isWithdrawn, erasedAt, progress, createdAt } = participant
  const format = createFormatter(staffLanguage.value, zone)
  const late = progress.stagesBehindSchedule
  const facts = [
    ...named(participant.sites, sites),
    ...named(participant.groups, groups),
    t('casebook.since', { day: format.day(createdAt) }),
    t('casebook.zone', { zone }),
  ]
  // Who may not see them gets no such fields.
  const maySeeContact = participant.name !== undefined || participant.email !== undefined
  return (
    <>
      <PageHead
        title={id}
        before={
          <>
            <a class="soft" href={pathIn(segment, 'participants')}>
              {t('casebook.participants')}
            </a>
            <span class="faint" aria-hidden="true">
              /
            </span>
          </>
        }
        after={
          <>
            {isArchived && <span class="pill waiting">{t('casebook.archived')}</span>}
            {isWithdrawn && <span class="pill waiting">{t('casebook.withdrawn')}</span>}
            {late > 0 && !isArchived ? (
              <span class="pill behind">
                <Icon name="clock" />
                {count('casebook.behind', late)}
              </span>
            ) : (
              !isArchived && <span class="pill complete">{t('casebook.onSchedule')}</span>
            )}
            <span class="soft participant-facts">
              {facts.map((each) => (
                <span key={each}>
                  <bdi>{each}</bdi>
                </span>
              ))}
            </span>
          </>
        }
      >
        {maySeeContact && !erasedAt && (
          <Button onPress={() => setContactShown(!isContactShown)}>
            {t(isContactShown ? 'casebook.hideContact' : 'casebook.showContact')}
          </Button>
        )}
      </PageHead>
      {isContactShown && <Contact participant={participant} day={format.day} />}
      {isArchived && <Band kind="info">{t('casebook.archivedBand')}</Band>}
      {isWithdrawn && <Band kind="info">{t('casebook.withdrawnBand')}</Band>}
      {erasedAt && <Band kind="info">{t('casebook.erasedBand', { day: format.day(erasedAt) })}</Band>}
    </>
  )
}

function Contact({ participant, day }: { participant: Participant; day: (value: unknown) => string }) {
  const { t } = useTranslator()
  const { name, dob, email, phone, whatsapp } = participant
  const all = [
    ['casebook.name', name],
    ['casebook.dob', dob ? day(dob) : dob],
    ['casebook.email', email],
    ['casebook.phone', phone],
    ['casebook.whatsapp', whatsapp],
  ] as const
  const shown = all.filter(([, value]) => value)
  return (
    <section class="contact" aria-label={t('casebook.contact')} role="status">
      {shown.length ? (
        <dl>
          {shown.map(([label, value]) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class="soft">{t('casebook.noContact')}</p>
      )}
    </section>
  )
}
