/** Everything that has no place of its own in the menu. */
import { useSpeaker } from '../speaking'
import { Appearance } from './appearance'
import { useMoreEntries } from './menu'
import { Page as Frame } from './page'
import { Row, Rows } from './rows'
import { useStudy } from './study'

export function Page() {
  const { say } = useSpeaker()
  const { me } = useStudy()
  return (
    <Frame title={say('app.more')}>
      <Rows label={say('app.more')}>
        {useMoreEntries(me).map(({ path, icon, label, note }) => (
          <Row key={path} path={path} icon={icon} label={label} note={note} />
        ))}
      </Rows>
      <h2 class="section-title">{say('app.appearance')}</h2>
      <Appearance />
    </Frame>
  )
}
