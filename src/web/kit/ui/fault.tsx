import { Icon } from './icon'

/** What is wrong with an answer, below it. It is part of the field's description, so that screen readers say both. */
export const Fault = ({ id, text }: { id: string; text: string | undefined }) =>
  text ? (
    <p class="fault" id={id}>
      <Icon name="fault" />
      <bdi>{text}</bdi>
    </p>
  ) : null
