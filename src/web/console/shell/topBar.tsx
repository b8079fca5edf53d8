import { isOffline, session, signOut } from '#web/console/data/session'
import { type StudySummary, studies } from '#web/console/data/studies'
import { staffLanguages } from '#web/console/lang/staffLanguages'
import { useShellTranslator } from '#web/console/lang/texts'
import { Icon, Popover } from '#web/console/parts/parts'
import { LanguageMenu, Mark } from '#web/kit/page/page'
import { chooseTheme, theme, themes } from '#web/kit/page/theme'
import { Button } from '#web/kit/ui/components'
import { pathIn } from './router'

const themeNames = {
  system: 'console.themeSystem',
  light: 'console.themeLight',
  dark: 'console.themeDark',
} as const

/** The first letters of the first and the last name. */
const initials = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((each) => [...(each ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The bar above every page: the way to all studies, the study, and the person. */
export function TopBar({ study }: { study: StudySummary | undefined }) {
  const { t } = useShellTranslator()
  return (
    <header class="top">
      <a class="mark-link" href="/console" aria-label={`Trialbox, ${t('console.allStudies')}`}>
        <Mark />
        <span>Trialbox</span>
      </a>
      {study && <StudyMenu study={study} />}
      <span class="grow" />
      <PersonMenu />
    </header>
  )
}

function StudyMenu({ study }: { study: StudySummary }) {
  const { t } = useShellTranslator()
  const shown = (
    <>
      <span class="hidden">{t('console.study')}</span>
      <bdi class="cut">{study.name}</bdi>
      {study.trial && <bdi class="code">{study.trial.code}</bdi>}
      <Icon name="down" />
    </>
  )
  return (
    <Popover name="study" label={t('console.allStudies')} button={shown}>
      {(close) => (
        <ul class="choices">
          {studies.value.list?.map((each) => (
            <li key={each._id}>
              <a
                href={pathIn(each.segment, 'participants')}
                aria-current={each._id === study._id ? 'true' : undefined}
                onClick={close}
              >
                <bdi class="cut">{each.name}</bdi>
                {each.trial && <bdi class="code">{each.trial.code}</bdi>}
              </a>
            </li>
          ))}
          <li class="last">
            <a href="/console" onClick={close}>
              {t('console.allStudies')}
            </a>
          </li>
        </ul>
      )}
    </Popover>
  )
}

function PersonMenu() {
  const { t } = useShellTranslator()
  const user = session.value?.user
  if (!user) return null
  return (
    <Popover
      name="icon-button person"
      label={t('console.person', { name: user.name })}
      button={
        <>
          <span class="avatar" aria-hidden="true">
            {initials(user.name)}
          </span>
          <span class="hidden">{t('console.person', { name: user.name })}</span>
        </>
      }
    >
      {() => (
        <div class="person-panel">
          <p>
            <strong>
              <bdi>{user.name}</bdi>
            </strong>
            <bdi class="soft">{user.email}</bdi>
          </p>
          <LanguageMenu only={staffLanguages} />
          <label class="theme-menu">
            <span>{t('console.theme')}</span>
            <span class="control menu">
              <select
                class="input"
                value={theme.value}
                onChange={({ currentTarget: { value } }) => {
                  const chosen = themes.find((each) => each === value)
                  if (chosen) chooseTheme(chosen)
                }}
              >
                {themes.map((each) => (
                  <option key={each} value={each}>
                    {t(themeNames[each])}
                  </option>
                ))}
              </select>
            </span>
          </label>
          <div class="actions">
            <a class="button quiet" href="/account">
              <span>{t('site.account')}</span>
            </a>
            <Button onPress={signOut} isDisabled={isOffline.value}>
              {t('signIn.signOut')}
            </Button>
          </div>
        </div>
      )}
    </Popover>
  )
}
