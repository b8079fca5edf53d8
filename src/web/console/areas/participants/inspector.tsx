/** The details of the participant who is selected in the grid. */
import { useEffect, useState } from 'preact/hooks'
import { holdsKey, stateOfAct } from '#web/console/data/access'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { formState } from '#web/console/parts/formState'
import { Failure, Glyph, Inspector } from '#web/console/parts/parts'
import { pathIn } from '#web/console/shell/router'
import type { AnswerOf } from '#web/kit/api/operations'
import { studyText } from '#web/kit/language/studyText'
import { useNow } from '#web/kit/page/useNow'
import { Button, ButtonLink, Skeleton } from '#web/kit/ui/components'
import { Meter, namesOf, ScheduleText } from './columns'
import { dateText } from './dates'
import type { Participant } from './list'
import { participants } from './texts'

type Entry = AnswerOf<'readTimeline'>['stages'][number]

/** How long a participant is selected before their forms are read, in milliseconds: somebody who passes by has read nothing about them. */
const REST = 350

type Props = { participant: Participant; onClose: () => void }

export function ParticipantInspector({ participant, onClose }: Props) {
  const translator = participants.useTranslator()
  const { t, language } = translator
  const study = useStudy()
  const { _id, id, sites, groups, createdAt, lastSeenAt, progress, unreadCount } = participant
  const facts = [
    [t('filter.site'), namesOf(sites, study.sites)],
    [t('filter.group'), namesOf(groups, study.groups)],
    [t('participants.registered'), dateText(language, createdAt)],
    [t('participants.lastSeen'), lastSeenAt ? dateText(language, lastSeenAt) : t('participants.never')],
    [t('participants.unread'), `${unreadCount}`],
    [t('participants.reachable'), reachableBy(translator, participant)],
    [t('participants.zone'), participant.timezone],
  ] as const
  return (
    <Inspector title={id} after={<ScheduleText translator={translator} participant={participant} />} onClose={onClose}>
      <div class="inspector-part">
        <ButtonLink kind="main" href={pathIn(study.segment, 'participants', _id)}>
          {t('participants.open')}
        </ButtonLink>
      </div>
      <dl class="facts">
        <div>
          <dt>{t('participants.progress')}</dt>
          <dd>
            <Meter ratio={progress.ratioComplete} language={language} />
          </dd>
        </div>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <Contact key={_id} participant={participant} />
      <Forms participant={participant} />
    </Inspector>
  )
}

/** By which ways messages reach the participant. */
function reachableBy({ t }: ReturnType<typeof participants.useTranslator>, participant: Participant): string {
  const ways = [
    participant.pushAvailable && t('participants.push'),
    participant.emailAvailable && t('participants.email'),
    participant.smsAvailable && t('participants.sms'),
    participant.whatsappAvailable && 'WhatsApp',
  ]
  return ways.filter((each) => each !== false).join(', ') || t('participants.notReachable')
}

/** Contact details, which are read when somebody asks for them: the server logs it. */
function Contact({ participant: { _id, sites, groups } }: { participant: Participant }) {
  const { t } = participants.useTranslator()
  const study = useStudy()
  const [isAsked, ask] = useState(false)
  const { body, failure, reload } = useItem(
    'readParticipant',
    '/trials/:trialId/participants/:participantId',
    isAsked ? [study._id, _id] : undefined,
  )
  if (!holdsKey(study.at({ sites, groups }), 'readParticipantPersonalInformation')) return null
  const facts = body
    ? ([
        [t('participants.name'), body.name],
        [t('participants.born'), body.dob],
        [t('participants.email'), body.email],
        [t('participants.phone'), body.phone],
        ['WhatsApp', body.whatsapp],
      ] as const)
    : []
  const known = facts.filter(([, value]) => value)
  return (
    <section class="inspector-part">
      <h3>{t('participants.contact')}</h3>
      {!isAsked && <Button onPress={() => ask(true)}>{t('participants.showContact')}</Button>}
      {failure && <Failure failure={failure} onAgain={reload} />}
      {isAsked && !body && !failure && <Skeleton lines={2} />}
      {body && !known.length && <p class="soft">{t('participants.noContact')}</p>}
      {known.length > 0 && (
        <dl class="facts inner">
          {known.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** The forms of the participant, each with its state. */
function Forms({ participant: { _id, sites, groups } }: { participant: Participant }) {
  const { t, language } = participants.useTranslator()
  const study = useStudy()
  const now = useNow()
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(_id), REST)
    return () => clearTimeout(timer)
  }, [_id])
  const mayRead = stateOfAct('readTimeline', study.at({ sites, groups })) !== 'never'
  const { body, failure, reload } = useItem(
    'readTimeline',
    '/trials/:trialId/participants/:participantId/stages',
    mayRead && rested === _id ? [study._id, _id] : undefined,
  )
  if (!mayRead) return null
  const dateOf = ({ completedAt, expiresAt, enableAt }: Entry) => completedAt ?? expiresAt ?? enableAt
  return (
    <section class="inspector-part">
      <h3>{t('participants.forms')}</h3>
      {failure && <Failure failure={failure} onAgain={reload} />}
      {!body && !failure && <Skeleton lines={4} />}
      {body && !body.stages.length && <p class="soft">{t('participants.noForms')}</p>}
      <ul class="tree">
        {body?.stages.map((entry) => {
          const at = dateOf(entry)
          return (
            <li key={entry._id}>
              <Glyph state={formState(entry, now)} />
              <span class="cut" {...studyText(entry.name)}>
                {entry.name}
              </span>
              {at && <bdi class="date">{dateText(language, at)}</bdi>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
