import { type ClaimLanguage, type ClaimWords, FILE_NAME, opening, without, words } from './claim-words.ts';

const ADV =
  '(?: (?:bien|deja|maintenant|aussi|egalement|donc|tout juste|desormais|enfin|immediatement|bel et bien|ensuite|automatiquement|vous|lui|leur))*';
const I_HAVE =
  "(?:j'ai|je (?:l'|les |lui |leur |vous l'|te l'|le lui |la lui |vous |t'|te )+ai|nous (?:l'|les |lui |leur |vous )*avons|on (?:l')?a|et ai|et avons)";
const IS = "(?: (?:a(?: bien| deja| maintenant| aussi)* ete|ont(?: bien| deja)* ete|est|sont|etait)|(?<!n)'est)";
const WITHOUT_VERB = without(
  "n'a|n'est|n'ont|ne|pas|jamais|sera|seront|serait|peut|pourra|va|vont|doit|est|sont|a|ont|etre",
  60,
);
const GREETINGS = "ok|d'accord|fait|c'est fait|parfait|super|tres bien|oui|voila|bonne nouvelle|confirme";

const object = (nouns: string) =>
  `(?: (?!(?:de|du|des|pour|sur|a|au|aux|brouillon|resume|liste|projet|et)\\b)[\\w'-]+){0,3}?(?: |(?: l'| d'))(?:${nouns})`;
/** A participle in any gender and number. */
const forms = (participles: string) => `(?:${participles})(?:e?s?)`;

function patterns({ nouns, strong, weak, places }: ClaimWords) {
  const verbs = forms(strong === '' ? weak : `${strong}|${weak}`);
  const place = `(?:dans|sur|a|au|en) (?:l'|(?:votre|ton|mon|notre|le|la|un|une|ce) )?(?:nouveau |nouvel |fichier )?(?:${places})`;
  return [
    ...(strong === '' ? [] : [{ pattern: words(`${I_HAVE}${ADV} ${forms(strong)}`) }]),
    { pattern: words(`${I_HAVE}${ADV} ${forms(weak)}${object(nouns)}`) },
    { pattern: words(`(?:l'|d')?(?:${nouns})(?![\\p{L}])(?:(?! n'| ne )[^;!?:]){0,80}?${IS}${ADV} ${verbs}`) },
    ...(strong === '' ? [] : [{ pattern: words(`(?:elle|il|elles|ils|c|cela|tout)${IS}${ADV} ${forms(strong)}`) }]),
    ...(places === ''
      ? []
      : [
          { pattern: words(`${I_HAVE}${ADV} ${verbs} [^;!?:]{0,80}?${place}`) },
          { pattern: words(`[\\p{L}']*${IS}${ADV} ${verbs} [^;!?:]{0,60}?${place}`) },
          { pattern: words(`(?:l')?(?:${nouns})(?![\\p{L}])[^;!?:]{0,60}? (?:est|figure|se trouve)${ADV} ${place}`) },
        ]),
    {
      pattern: opening(GREETINGS, `(?:la |le |l'|votre |ton |ta )?(?:${nouns})${WITHOUT_VERB} ${verbs}`),
      isShort: true,
    },
    ...(strong === '' ? [] : [{ pattern: opening(GREETINGS, forms(strong)), isShort: true }]),
  ];
}

/** Claims in French. */
export const FRENCH: ClaimLanguage = {
  language: 'fr',
  patterns,
  words: {
    'meeting-scheduled': {
      nouns:
        'reunion|rendez-vous|rdv|appel|evenement|creneau|entretien|dejeuner|diner|visio(?:conference)?|invitation|seance|rencontre|reservation',
      strong: 'planifie|programme|agende|cale',
      weak: 'ajoute|cree|enregistre|mis|note|confirme|pose|reserve|fixe|organise|bloque|inscrit|place|prevu|deplace|reporte',
      places: 'agenda|calendrier',
      others: 'rappels?|brouillons?|mails?|e-mails?|courriels?|messages?|taches?|vols?|hotels?',
    },
    'reminder-set': {
      nouns: 'rappel|rappels|alarme',
      strong: '',
      weak: 'cree|programme|ajoute|mis|enregistre|regle|configure|planifie|defini|pose|place',
      places: '',
      others: 'brouillon',
    },
    'mail-sent': {
      nouns: 'mail|mails|e-mail|email|courriel|message|reponse|invitation|confirmation|lettre|brouillon',
      strong:
        'envoye|expedie|transmis|transfere|renvoye|repondu|adresse|achemine|fait suivre|ecrit a|contacte|informe|prevenu|notifie|avise',
      weak: 'parti|remis|delivre',
      places: '',
      others: 'pas envoye',
    },
    'file-written': {
      nouns: `fichiers?|documents?|notes?|carnet|${FILE_NAME}`,
      strong: '',
      weak: 'ecrit|enregistre|cree|sauvegarde|mis a jour|ajoute|modifie|genere|exporte|consigne',
      places: `fichier|document|carnet|dossier|notes|${FILE_NAME}`,
      others: 'brouillons?|agenda|calendrier|boite|espace de travail|rappels?',
    },
  },
  before: [
    /(?<![\p{L}])(?:si|une fois(?: que)?|des que|quand|lorsque|apres|apres que|avant|avant que|tant que|aucune?|pas de|pas d'|ni|sans)\s*(?:(?:la|le|l'|les|votre|ton|ta|une?|cette|ce)\s*)*$/u,
    /(?<![\p{L}])(?:pas|jamais)\s(?:[\p{L}']+\s){0,3}?(?:confirmer|dire|sur|certain|trouver|affirmer|savoir|voir|verifier)[^,;]*$/u,
    /^(?!.*(?<![\p{L}])(?:j'|je|nous)).*(?<![\p{L}])(?:dit|ecrit|indique|mentionne|demande|confirme|signale|precise|repond)(?: que| qu'|,? ?:)[ "«]*(?:(?:la|le|l'|votre|une?|cette)\s*)*$/u,
    /(?<![\p{L}])(?:selon|d'apres)(?![\p{L}])/u,
  ],
  after: /^[^,;]{0,60}?(?<![\p{L}])par (?!moi|nous|votre assistant|mail|e-mail|courriel|telephone)/u,
};
