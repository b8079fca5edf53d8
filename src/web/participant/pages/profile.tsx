/** The person's own settings: who they are in the study, zone, language, how the study reaches them, sign-out. */

import { useState } from 'preact/hooks'
import { studyText } from '#web/kit/language/studyText'
import { isTablet } from '#web/kit/storage/smallStorage'
import { Button, Dialog, Notice } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { drafts } from '#web/participant/device/drafts'
import { entries } from '#web/participant/device/queue'
import { signOut } from '#web/participant/device/session'
import { go } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import type { Me } from './apiTypes'
import { Appearance } from './appearance'
import { ContactMethods } from './contactMethods'
import { Glyph } from './glyph'
import { InstallHint, isInstalled } from './install'
import { keepDraftText, unsentMessages } from './outbox'
import { Page as Frame } from './page'
import { Pin } from './pin'
import { useStudy } from './study'
import { ZoneAndLanguage } from './zone'

export function Page() {
  const { t } = useTranslator()
  const { me } = useStudy()
  return (
    <Frame title={t('app.you')}>
      {me && <ProfileCard me={me} />}
      <h2 class="section-title">{t('app.appearance')}</h2>
      <Appearance />
      {me && <ZoneAndLanguage key={`${me.participant.timezone} ${me.participant.language}`} me={me} />}
      {!isTablet && <Pin />}
      {me && !isTablet && <ContactMethods me={me} />}
      {!isTablet && <InstallHint isAlways />}
      {me && <Sites me={me} />}
      <About />
      {!isTablet && <SignOut />}
    </Frame>
  )
}

function ProfileCard({ me: { participant, trial } }: { me: Me }) {
  const { t } = useTranslator()
  return (
    <section class="card profile">
      <span class="row-icon">
        <Glyph name="person" />
      </span>
      <dl>
        <div>
          <dt>{t('you.id')}</dt>
          <dd>
            <bdi>{participant.id}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('you.study')}</dt>
          <dd>
            <StudyText text={trial.name} />
          </dd>
        </div>
        {trial.sponsor && (
          <div>
            <dt>{t('you.sponsor')}</dt>
            <dd>
              <StudyText text={trial.sponsor} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function Sites({ me: { sites } }: { me: Me }) {
  const { t } = useTranslator()
  if (!sites.length) return null
  return (
    <section class="card" aria-labelledby="sites">
      <h2 id="sites">{t('you.sites')}</h2>
      {sites.map((site) => (
        <address key={site._id}>
          <strong>
            <StudyText text={site.name} />
          </strong>
          {[
            site.contactName,
            site.addressLine1,
            site.addressLine2,
            [site.addressPostCode, site.addressCity].filter(Boolean).join(' '),
            site.addressCountry,
          ]
            .filter(Boolean)
            .map((line) => (
              <span key={line}>
                <StudyText text={line} />
              </span>
            ))}
          {site.contactPhone && <a href={`tel:${site.contactPhone.replace(/[^\d+*#]/g, '')}`}>{site.contactPhone}</a>}
          {site.contactEmail && <a href={`mailto:${encodeURIComponent(site.contactEmail)}`}>{site.contactEmail}</a>}
        </address>
      ))}
    </section>
  )
}

function About() {
  const { t } = useTranslator()
  const { me } = useStudy()
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">{t('you.about')}</h2>
      {me?.trial.description && (
        <p class="description" {...studyText(me.trial.description)}>
          {me.trial.description}
        </p>
      )}
      {!isTablet && <p class="note">{t('you.kept')}</p>}
      {!isTablet && !isInstalled() && <p class="note">{t('you.browser')}</p>}
    </section>
  )
}

function SignOut() {
  const { t, count } = useTranslator()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const waiting = entries.value.filter(({ state }) => state === 'waiting').length
  const messages = unsentMessages.value.length
  const begun = drafts.value.length
  const leave = async () => {
    setBusy(true)
    keepDraftText('')
    await signOut()
    go('', { replace: true })
  }
  return (
    <div class="actions">
      <Button onPress={() => setAsking(true)}>{t('you.signOut')}</Button>
      {isAsking && (
        <Dialog
          title={t('you.signOutTitle')}
          action={{ label: t('you.signOut'), kind: begun ? 'danger' : 'main', isBusy, onPress: () => void leave() }}
          onClose={() => setAsking(false)}
        >
          <p>{t('you.signOutNote')}</p>
          {begun > 0 && <Notice kind="warning" title={count('you.draftsLost', begun)} />}
          {waiting > 0 && <Notice kind="info" title={count('you.entriesKept', waiting)} />}
          {messages > 0 && <Notice kind="info" title={count('you.messagesKept', messages)} />}
        </Dialog>
      )}
    </div>
  )
}
