/** One line above each page: whether there is a connection, what waits to be sent, and what needs the person. */
import { entries } from '#web/participant/device/queue'
import { isOnline, needsSignIn } from '#web/participant/device/session'
import { newVersion, takeOver } from '#web/participant/device/worker'
import { useTranslator } from '#web/participant/texts'
import { Glyph, type GlyphName } from './glyph'
import { askForPassword } from './sessionEnded'

type Line = {
  kind: 'warning' | 'info' | 'fault'
  icon: GlyphName
  text: string
  path?: string
  action?: string
  onPress?: () => void
}

function useLine(): Line | undefined {
  const { t, count } = useTranslator()
  const refused = entries.value.filter(({ state }) => state === 'refused').length
  const waiting = entries.value.filter(({ state }) => state === 'waiting').length
  if (needsSignIn.value)
    return {
      kind: 'warning',
      icon: 'person',
      text: t('app.signInAgain'),
      action: t('app.signIn'),
      onPress: askForPassword,
    }
  if (refused) return { kind: 'fault', icon: 'phone', text: count('app.refused', refused), path: 'waiting' }
  if (!isOnline.value) {
    const text = waiting ? count('app.offlineWaiting', waiting) : t('app.offline')
    return { kind: 'warning', icon: 'offline', text, path: 'waiting' }
  }
  // What waits stays on the device, and the new version sends it.
  if (newVersion.value)
    return {
      kind: 'info',
      icon: 'phone',
      text: t('queue.newVersion'),
      action: t('queue.takeOver'),
      onPress: takeOver,
    }
  if (waiting) return { kind: 'info', icon: 'send', text: count('app.waitingNow', waiting), path: 'waiting' }
  return undefined
}

/** It stays in the page when it is empty, so that screen readers say what appears in it. */
export function Status() {
  const { t } = useTranslator()
  const line = useLine()
  const content = line && (
    <>
      <Glyph name={line.icon} />
      <span>{line.text}</span>
      <span class="status-more">{line.action ?? t('app.details')}</span>
    </>
  )
  return (
    <div class="status" role="status">
      {line &&
        (line.path === undefined ? (
          <button type="button" class={`status-line ${line.kind}`} onClick={line.onPress}>
            {content}
          </button>
        ) : (
          <a class={`status-line ${line.kind}`} href={`/app/${line.path}`}>
            {content}
          </a>
        ))}
    </div>
  )
}
