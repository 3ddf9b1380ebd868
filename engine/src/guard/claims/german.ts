import { type ClaimLanguage, type ClaimWords, FILE_NAME, opening, without, words } from './claim-words.ts';

const I_HAVE = '(?:ich hab(?:e)?|hab(?:e)? ich|wir haben|haben wir)';
/** Between the verbs of a clause: neither a negation nor a clause with another subject. */
const REST =
  '(?:(?!(?: nicht| kein\\w*| nie| niemals| nichts| weder| ohne)(?![\\p{L}])|, ?(?:dass|ob|wann|weil|wenn|falls|damit|was|welche\\w*|nachdem|bevor|sobald)(?![\\p{L}]))[^;!?]){0,120}?';
const WITHOUT_VERB = without(
  'nicht|kein\\p{L}*|nie|niemals|wird|werden|werde|kann|konnen|konnte|soll|sollte|muss|ist|sind|war|wurde|wurden|noch|zu',
  80,
);
/** "Die Mail, die Anna gesendet hat": what somebody else did with it is no headline. */
const NO_RELATIVE = '(?!, ?(?:die|der|das|den|dem|deren|dessen|welche\\w*)(?![\\p{L}]))';
const GREETINGS = 'ok|okay|erledigt|fertig|alles klar|super|gerne?|gut|ja|prima|bestatigt|status';
const DETERMINERS =
  '(?:der|die|das|den|dem|ein|eine|einen|ihr|ihre|ihren|dein|deine|deinen|unser|unsere|unseren|ihnen|dir|euch|nun|jetzt|bereits|soeben|gerade|auch|schon|gerne?|hiermit|neue[nrs]?|beide|diese[nrs]?)';

function patterns({ nouns, strong, weak, places }: ClaimWords) {
  const verbs = strong === '' ? weak : `${strong}|${weak}`;
  const done = `(?:${verbs})(?! werden| zu werden)`;
  const place = `(?:in|unter|als|im|ins|in den|in der|in die|in ihrem|in ihren|in deinem|in deinen|in unserem|auf dem) (?:${places})`;
  const noun = `(?:[\\p{L}-]*(?:${nouns})(?![\\p{L}]))`;
  return [
    ...(strong === '' ? [] : [{ pattern: words(`${I_HAVE}${REST} (?:${strong})`) }]),
    { pattern: words(`${I_HAVE}(?: ${DETERMINERS}){0,4} ${noun}${REST} (?:${verbs})`) },
    { pattern: words(`${noun}${REST} (?:ist|sind|wurde|wurden)${REST} ${done}`) },
    { pattern: words(`${noun}${REST} ${done} (?:ist|sind|wurde|wurden|habe|haben|worden)`) },
    ...(strong === ''
      ? []
      : [
          { pattern: words(`(?:ich|wir) ${REST} (?:${strong}) (?:habe|haben)`) },
          { pattern: words(`(?:es|sie|er|das|alles) (?:ist|sind|wurde|wurden)${REST} (?:${strong})(?! werden)`) },
        ]),
    {
      pattern: words(`(?:ist|sind|wurde|wurden) (?:der|die|das|ein|eine|ihr|ihre|dein|deine) ${noun}${REST} ${done}`),
      isShort: true,
    },
    ...(places === ''
      ? []
      : [
          { pattern: words(`${I_HAVE}${REST} ${place} (?:${verbs})`) },
          { pattern: words(`(?:ist|sind|wurde|wurden)${REST} ${place} ${done}`), isShort: true },
          {
            pattern: words(
              `(?:${noun}|(?:es|er|sie|das)(?![\\p{L}]))${REST} (?:steht|stehen|ist|sind)${REST} ${place}`,
            ),
          },
        ]),
    {
      pattern: opening(
        GREETINGS,
        `(?:der |die |das |ihr |ihre |dein |deine )?${noun}${NO_RELATIVE}${WITHOUT_VERB} ${done}`,
      ),
      isShort: true,
    },
    ...(strong === '' ? [] : [{ pattern: opening(GREETINGS, `(?:${strong})`), isShort: true }]),
  ];
}

/** Claims in German. */
export const GERMAN: ClaimLanguage = {
  language: 'de',
  patterns,
  words: {
    'meeting-scheduled': {
      nouns:
        'termin|termine|treffen|meeting|besprechung|call|anruf|telefonat|ereignis|sitzung|gesprach|mittagessen|abendessen|veranstaltung|slot|kalendereintrag|buchung|verabredung',
      strong: 'eingetragen|terminiert|vereinbart|gebucht|eingeplant|anberaumt|angesetzt|verschoben',
      weak: 'angelegt|erstellt|hinzugefugt|eingestellt|festgelegt|organisiert|geplant|notiert|gesetzt|gemacht|eingerichtet|gespeichert|geblockt|fixiert|reserviert|bestatigt|ausgemacht',
      places: 'kalender',
      others: 'erinnerung\\w*|entwurf|entwurfe|mail|e-mail|nachricht|aufgabe\\w*|wecker|flug|hotel',
    },
    'reminder-set': {
      nouns: 'erinnerung|erinnerungen|wecker|alarm',
      strong: '',
      weak: 'eingerichtet|gesetzt|gestellt|erstellt|angelegt|eingetragen|gespeichert|hinzugefugt|geplant|notiert',
      places: '',
      others: 'entwurf',
    },
    'mail-sent': {
      nouns: 'mail|mails|email|nachricht|antwort|einladung|bestatigung|schreiben|brief|entwurf|anfrage',
      strong:
        'gesendet|geschickt|versendet|verschickt|versandt|gesandt|abgeschickt|abgesendet|abgesandt|weitergeleitet|zugesandt|zugeschickt|rausgeschickt|gemailt|angemailt|angeschrieben|geantwortet|beantwortet|benachrichtigt|informiert|kontaktiert|ubermittelt',
      weak: 'geschrieben an|raus|unterwegs|zugestellt|ausgeliefert',
      places: '',
      others: 'nicht gesendet',
    },
    'file-written': {
      nouns: `datei|dateien|dokument|dokumente|notiz|notizen|notizbuch|${FILE_NAME}`,
      strong: '',
      weak: 'geschrieben|gespeichert|erstellt|angelegt|abgelegt|aktualisiert|erganzt|hinterlegt|gesichert|exportiert|erzeugt|bearbeitet|geandert|festgehalten',
      places: `datei|dokument|notizbuch|ordner|notizen|${FILE_NAME}`,
      others: 'entwurf|entwurfe|kalender|postfach|arbeitsbereich|erinnerung\\w*',
    },
  },
  before: [
    /(?<![\p{L}])(?:wenn|falls|sobald|nachdem|bevor|ob|bis|ehe|sofern|solange|kein\p{L}*|weder|noch|ohne|nicht)(?![\p{L}])[^,;]*$/u,
    /(?<![\p{L}])(?:nicht|kaum)\s(?:[\p{L}]+\s){0,3}?(?:bestatigen|sagen|sicher|finden|glaube|behaupten|gesagt|sehen|wissen|prufen)[^.;]*$/u,
    /^(?!.*(?<![\p{L}])(?:ich|wir)(?![\p{L}])).*(?<![\p{L}])(?:schreibt|schrieb|sagt|sagte|meint|meinte|berichtet|berichtete|bittet|fragt|fragte|bestatigt|erwahnt|geschrieben|gesagt)[^.;]{0,20}(?:,|:) ?(?:dass |ob )?(?:[\p{L}]+ )?$/u,
    /(?<![\p{L}])(?:laut|gemass|zufolge)(?![\p{L}])/u,
  ],
  after: /^(?!)/u,
};
