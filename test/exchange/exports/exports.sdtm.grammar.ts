/** The order of the elements of Define-XML 2.1, for tests without its schema. */

export type Node = { tag: string; text: string | null; own: Record<string, string>; children: Node[] }

/** The elements of Define-XML 2.1: the children in their order (`*` any number, `?` none or one), then the attributes (`?` optional). */
const GRAMMAR: Record<string, [children: string, attributes: string]> = {
  ODM: [
    'Study',
    'FileType FileOID CreationDateTime AsOfDateTime? ODMVersion Originator? SourceSystem? SourceSystemVersion? Context',
  ],
  Study: ['GlobalVariables MetaDataVersion', 'OID'],
  GlobalVariables: ['StudyName StudyDescription ProtocolName', ''],
  MetaDataVersion: [
    'Standards ValueListDef* WhereClauseDef* ItemGroupDef* ItemDef* CodeList* MethodDef* CommentDef* leaf*',
    'OID Name Description? DefineVersion CommentOID?',
  ],
  Standards: ['Standard*', ''],
  Standard: ['', 'OID Name Type PublishingSet? Version Status'],
  ValueListDef: ['ItemRef*', 'OID'],
  WhereClauseDef: ['RangeCheck*', 'OID'],
  RangeCheck: ['CheckValue', 'SoftHard ItemOID Comparator'],
  ItemGroupDef: [
    'Description ItemRef* Class leaf',
    'OID Name Repeating IsReferenceData SASDatasetName Domain Purpose Structure ArchiveLocationID StandardOID',
  ],
  ItemRef: ['WhereClauseRef?', 'ItemOID OrderNumber Mandatory KeySequence? MethodOID?'],
  ItemDef: [
    'Description CodeListRef? Origin ValueListRef?',
    'OID Name DataType Length? SignificantDigits? SASFieldName CommentOID?',
  ],
  CodeList: ['CodeListItem* EnumeratedItem* Alias*', 'OID Name DataType StandardOID? IsNonStandard?'],
  CodeListItem: ['Decode Alias*', 'CodedValue ExtendedValue?'],
  EnumeratedItem: ['Alias*', 'CodedValue ExtendedValue?'],
  Decode: ['TranslatedText', ''],
  Description: ['TranslatedText', ''],
  MethodDef: ['Description', 'OID Name Type'],
  CommentDef: ['Description', 'OID'],
  leaf: ['title', 'ID href'],
  TranslatedText: ['', 'lang'],
  Alias: ['', 'Context Name'],
  Origin: ['', 'Type Source?'],
  Class: ['', 'Name'],
  ...Object.fromEntries(
    ['WhereClauseRef WhereClauseOID', 'CodeListRef CodeListOID', 'ValueListRef ValueListOID'].map((each) => {
      const [tag = '', attribute = ''] = each.split(' ')
      return [tag, ['', attribute]]
    }),
  ),
  ...Object.fromEntries(
    ['CheckValue', 'StudyName', 'StudyDescription', 'ProtocolName', 'title'].map((tag) => [tag, ['', '']]),
  ),
}

/** What is wrong with an element and those in it. */
export function faultsOf({ tag, own, children }: Node): string[] {
  const [sequence = '', attributes = ''] = GRAMMAR[tag] ?? []
  if (!(tag in GRAMMAR)) return [`There is no element ${tag}.`]
  const parts = sequence
    .split(' ')
    .map((each) => each.replace(/^(\w*)([*?]?)$/, (_, name, many) => (name ? `(?:${name} )${many}` : '')))
  const given = children.map((child) => `${child.tag} `).join('')
  const known = attributes.split(' ').filter((name) => name !== '')
  const missing = known.filter((name) => !name.endsWith('?') && own[name] === undefined)
  const other = Object.keys(own).filter((name) => !known.includes(name) && !known.includes(`${name}?`))
  return [
    ...(new RegExp(`^${parts.join('')}$`).test(given) ? [] : [`${tag} ${own.OID ?? ''}: ${given}`]),
    ...[...missing, ...other].map((name) => `${tag} ${own.OID ?? ''}: ${name}`),
    ...children.flatMap(faultsOf),
  ]
}
