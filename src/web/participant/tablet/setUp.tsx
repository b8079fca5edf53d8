/** The link that staff open on a tablet, once: it makes this browser a shared tablet. */

import { useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { isTablet, setTablet } from '#web/kit/storage/smallStorage'
import { Button, ButtonLink, Notice } from '#web/kit/ui/components'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { person } from '#web/participant/device/session'
import { keepTablet } from '#web/participant/device/shared/tabletDatabase'
import { Frame } from '#web/participant/pages/initialPages'
import { hasUnsent, removePersonalData } from './leftovers'
import type { Translator } from './texts'

/** Opens the link. Returns why that failed. */
async function open({ t }: Translator, link: string): Promise<string | undefined> {
  if (!isTablet && (await hasUnsent())) return t('tablet.setUpWaiting')
  const answer = await askAs<AnswerOf<'openSharedDevice'>>('POST', `/shared-device-links/${encodeURIComponent(link)}`)
  if (!answer.isDone) return answer.status === 404 ? t('tablet.setUpFailedNote') : refusalText(answer)
  const { secret, ...tablet } = answer.body
  await keepTablet(secret, tablet)
  if (!isTablet) await removePersonalData()
  setTablet(true)
  // The link is of no use any more, and nobody should find it in the history.
  location.replace('/app/')
  return undefined
}

export function SetUp({ translator, link }: { translator: Translator; link: string }) {
  const { t } = translator
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isSecure = globalThis.isSecureContext && crypto.subtle !== undefined
  const begin = async () => {
    setBusy(true)
    setFault(await open(translator, link))
    setBusy(false)
  }
  return (
    <Frame title={t(fault ? 'tablet.setUpFailed' : 'tablet.setUp')}>
      <div class="card">
        <p>{t('tablet.setUpNote')}</p>
        {person.value && (
          // They know what of theirs is not sent, and are asked before they sign out.
          <Notice kind="warning" title={t('tablet.setUpSignedIn', { id: person.value.participantId })}>
            <ButtonLink href="/app/you">{t('tablet.setUpToSignOut')}</ButtonLink>
          </Notice>
        )}
        {!isSecure && <Notice kind="fault" title={t('tablet.insecure')} />}
        {fault && <Notice kind="fault" title={fault} isLive />}
        <div class="actions">
          <Button
            kind="main"
            isDisabled={!isSecure || person.value !== undefined}
            isBusy={isBusy}
            onPress={() => void begin()}
          >
            {t('tablet.setUpStart')}
          </Button>
        </div>
      </div>
    </Frame>
  )
}
