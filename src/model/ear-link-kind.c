/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-kind.h"

#include "ear-address.h"
#include "ear-link-address.h"

/* Guesses the kind of a page from its address, without fetching it. */

/* Names in files */
static const char *const names[EAR_N_LINK_KINDS] = {
  [EAR_LINK_OTHER] = "other",
  [EAR_LINK_PULL_REQUEST] = "pull-request",
  [EAR_LINK_ISSUE] = "issue",
  [EAR_LINK_SOURCE] = "source",
  [EAR_LINK_PAPER] = "paper",
  [EAR_LINK_DOCUMENTATION] = "documentation",
  [EAR_LINK_BLOG] = "blog",
};

/* Patterns of the host, without `www.`, and of the path; the first match wins. Known
 * hosts come first, then common names of hosts and paths. */
static const struct
{
  const char *host;
  const char *path;
  EarLinkKind kind;
} patterns[] = {
  { "*", "*.pdf", EAR_LINK_PAPER },

  /* Code hosting */
  { "github.com", "/*/*/pull/*", EAR_LINK_PULL_REQUEST },
  { "github.com", "/*/*/pulls*", EAR_LINK_PULL_REQUEST },
  { "github.com", "/*/*/issues*", EAR_LINK_ISSUE },
  { "github.com", "/*/*/discussions*", EAR_LINK_ISSUE },
  { "github.com", "/orgs/*/discussions*", EAR_LINK_ISSUE },
  { "github.com", "/*/*/wiki*", EAR_LINK_DOCUMENTATION },
  { "github.com", "/sponsors/*", EAR_LINK_OTHER },
  { "github.com", "/features/*", EAR_LINK_OTHER },
  { "github.com", "/about/*", EAR_LINK_OTHER },
  { "github.com", "/*/*", EAR_LINK_SOURCE },
  { "gist.github.com", "/*", EAR_LINK_SOURCE },
  { "raw.githubusercontent.com", "/*", EAR_LINK_SOURCE },
  { "docs.github.com", "/*", EAR_LINK_DOCUMENTATION },
  { "*", "/*/-/merge_requests*", EAR_LINK_PULL_REQUEST },
  { "*", "/*/-/issues*", EAR_LINK_ISSUE },
  { "*", "/*/-/work_items*", EAR_LINK_ISSUE },
  { "*", "/*/-/wikis*", EAR_LINK_DOCUMENTATION },
  { "*", "/*/-/*", EAR_LINK_SOURCE },
  { "codeberg.org", "/*/*/pulls*", EAR_LINK_PULL_REQUEST },
  { "codeberg.org", "/*/*/issues*", EAR_LINK_ISSUE },
  { "codeberg.org", "/*/*", EAR_LINK_SOURCE },
  { "gitlab.*", "/*/*", EAR_LINK_SOURCE },
  { "bitbucket.org", "/*/*/pull-requests*", EAR_LINK_PULL_REQUEST },
  { "bitbucket.org", "/*/*/issues*", EAR_LINK_ISSUE },
  { "bitbucket.org", "/*/*", EAR_LINK_SOURCE },
  { "git.sr.ht", "/*", EAR_LINK_SOURCE },
  { "todo.sr.ht", "/*", EAR_LINK_ISSUE },
  { "reviews.llvm.org", "/D*", EAR_LINK_PULL_REQUEST },
  { "phabricator.*", "/D*", EAR_LINK_PULL_REQUEST },
  { "phabricator.*", "/T*", EAR_LINK_ISSUE },
  { "*-review.googlesource.com", "/*", EAR_LINK_PULL_REQUEST },
  { "*", "/show_bug.cgi", EAR_LINK_ISSUE },
  { "bugs.*", "/*", EAR_LINK_ISSUE },
  { "issues.*", "/*", EAR_LINK_ISSUE },
  { "issuetracker.*", "/*", EAR_LINK_ISSUE },
  { "git.*", "/*", EAR_LINK_SOURCE },
  { "cgit.*", "/*", EAR_LINK_SOURCE },
  { "*.googlesource.com", "/*", EAR_LINK_SOURCE },
  { "source.chromium.org", "/*", EAR_LINK_SOURCE },
  { "cs.opensource.google", "/*", EAR_LINK_SOURCE },
  { "elixir.bootlin.com", "/*", EAR_LINK_SOURCE },
  { "godbolt.org", "/*", EAR_LINK_SOURCE },
  { "colab.research.google.com", "/*", EAR_LINK_SOURCE },

  /* Papers */
  { "arxiv.org", "/*", EAR_LINK_PAPER },
  { "*.arxiv.org", "/*", EAR_LINK_PAPER },
  { "openreview.net", "/*", EAR_LINK_PAPER },
  { "doi.org", "/*", EAR_LINK_PAPER },
  { "dx.doi.org", "/*", EAR_LINK_PAPER },
  { "dl.acm.org", "/*", EAR_LINK_PAPER },
  { "queue.acm.org", "/*", EAR_LINK_PAPER },
  { "ieeexplore.ieee.org", "/*", EAR_LINK_PAPER },
  { "link.springer.com", "/*", EAR_LINK_PAPER },
  { "sciencedirect.com", "/science/article/*", EAR_LINK_PAPER },
  { "nature.com", "/articles/*", EAR_LINK_PAPER },
  { "science.org", "/doi/*", EAR_LINK_PAPER },
  { "*", "/doi/*", EAR_LINK_PAPER },
  { "pubmed.ncbi.nlm.nih.gov", "/*", EAR_LINK_PAPER },
  { "ncbi.nlm.nih.gov", "/pmc/*", EAR_LINK_PAPER },
  { "biorxiv.org", "/*", EAR_LINK_PAPER },
  { "medrxiv.org", "/*", EAR_LINK_PAPER },
  { "ssrn.com", "/*", EAR_LINK_PAPER },
  { "papers.*", "/*", EAR_LINK_PAPER },
  { "aclanthology.org", "/*", EAR_LINK_PAPER },
  { "proceedings.*", "/*", EAR_LINK_PAPER },
  { "openaccess.thecvf.com", "/*", EAR_LINK_PAPER },
  { "jmlr.org", "/papers/*", EAR_LINK_PAPER },
  { "semanticscholar.org", "/*", EAR_LINK_PAPER },
  { "eprint.iacr.org", "/*", EAR_LINK_PAPER },
  { "usenix.org", "/*/presentation/*", EAR_LINK_PAPER },
  { "huggingface.co", "/papers/*", EAR_LINK_PAPER },
  { "huggingface.co", "/blog*", EAR_LINK_BLOG },
  { "huggingface.co", "/docs*", EAR_LINK_DOCUMENTATION },

  /* Documentation */
  { "*.readthedocs.io", "/*", EAR_LINK_DOCUMENTATION },
  { "*.readthedocs.org", "/*", EAR_LINK_DOCUMENTATION },
  { "docs.google.com", "/*", EAR_LINK_OTHER },
  { "docs.*", "/*", EAR_LINK_DOCUMENTATION },
  { "*.docs.*", "/*", EAR_LINK_DOCUMENTATION },
  { "doc.*", "/*", EAR_LINK_DOCUMENTATION },
  { "devdocs.*", "/*", EAR_LINK_DOCUMENTATION },
  { "developer.*", "/blog*", EAR_LINK_BLOG },
  { "developer.*", "/*", EAR_LINK_DOCUMENTATION },
  { "developers.*", "/blog*", EAR_LINK_BLOG },
  { "learn.microsoft.com", "/*", EAR_LINK_DOCUMENTATION },
  { "man7.org", "/*", EAR_LINK_DOCUMENTATION },
  { "cppreference.com", "/*", EAR_LINK_DOCUMENTATION },
  { "*.cppreference.com", "/*", EAR_LINK_DOCUMENTATION },
  { "rfc-editor.org", "/*", EAR_LINK_DOCUMENTATION },
  { "datatracker.ietf.org", "/doc/*", EAR_LINK_DOCUMENTATION },
  { "w3.org", "/TR/*", EAR_LINK_DOCUMENTATION },
  { "*.spec.whatwg.org", "/*", EAR_LINK_DOCUMENTATION },
  { "peps.python.org", "/*", EAR_LINK_DOCUMENTATION },
  { "pkg.go.dev", "/*", EAR_LINK_DOCUMENTATION },
  { "wiki.*", "/*", EAR_LINK_DOCUMENTATION },
  { "*", "/docs*", EAR_LINK_DOCUMENTATION },
  { "*", "/doc/*", EAR_LINK_DOCUMENTATION },
  { "*", "*/docs/*", EAR_LINK_DOCUMENTATION },
  { "*", "/documentation*", EAR_LINK_DOCUMENTATION },
  { "*", "/manual/*", EAR_LINK_DOCUMENTATION },
  { "*", "/reference/*", EAR_LINK_DOCUMENTATION },
  { "*", "/tutorials/*", EAR_LINK_DOCUMENTATION },

  /* Blogs */
  { "blog.*", "/*", EAR_LINK_BLOG },
  { "blogs.*", "/*", EAR_LINK_BLOG },
  { "*.blog", "/*", EAR_LINK_BLOG },
  { "*.blogspot.*", "/*", EAR_LINK_BLOG },
  { "*.wordpress.com", "/*", EAR_LINK_BLOG },
  { "medium.com", "/*", EAR_LINK_BLOG },
  { "*.medium.com", "/*", EAR_LINK_BLOG },
  { "*.substack.com", "/*", EAR_LINK_BLOG },
  { "*.ghost.io", "/*", EAR_LINK_BLOG },
  { "*.bearblog.dev", "/*", EAR_LINK_BLOG },
  { "dev.to", "/*", EAR_LINK_BLOG },
  { "*", "/blog*", EAR_LINK_BLOG },
  { "*", "*/blog/*", EAR_LINK_BLOG },
  { "*", "*/blogs/*", EAR_LINK_BLOG },
  { "*", "/posts/*", EAR_LINK_BLOG },
  { "*", "/post/*", EAR_LINK_BLOG },
  { "*", "*/20##/##/*", EAR_LINK_BLOG },
};

/* In the pattern, `*` matches any text, and `#` a digit: paths never have a `#`. */
static gboolean
matches (const char *pattern, const char *text)
{
  const char *after_star = NULL;
  const char *again = NULL;

  while (*text != '\0')
    if (*pattern == '*')
      {
        after_star = ++pattern;
        again = text;
      }
    else if (*pattern == *text || (*pattern == '#' && g_ascii_isdigit (*text)))
      {
        pattern++;
        text++;
      }
    else if (after_star != NULL)
      {
        pattern = after_star;
        text = ++again;
      }
    else
      return FALSE;
  while (*pattern == '*')
    pattern++;

  return *pattern == '\0';
}

/* @address: an http or https address
 * Returns: the kind of the page, guessed from the address */
EarLinkKind
ear_link_kind_find (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);
  g_autofree char *host = ear_link_address_dup_host (address);
  const char *path;

  if (uri == NULL || host == NULL)
    return EAR_LINK_OTHER;
  path = *g_uri_get_path (uri) != '\0' ? g_uri_get_path (uri) : "/";
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (matches (patterns[i].host, host) && matches (patterns[i].path, path))
      return patterns[i].kind;

  return EAR_LINK_OTHER;
}

/* Returns: the kind's name in files and actions */
const char *
ear_link_kind_get_name (EarLinkKind kind)
{
  g_return_val_if_fail (kind < EAR_N_LINK_KINDS, NULL);

  return names[kind];
}
