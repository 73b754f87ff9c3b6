# Run by CPack when the files of all packages lie ready: what Debian asks of a package beside its files.
# Pages are compressed, completions of zsh lie where Debian's zsh looks, and each has its licence and changelog.

function(compress)
  execute_process(COMMAND gzip -9n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# `Mon, 23 Nov 2026 00:00:00 +0000`
execute_process(COMMAND date --utc --rfc-email --date=${CPACK_TOFN_DATE} OUTPUT_VARIABLE day
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

set(packages ${CPACK_TOFN_PACKAGES})
while(packages)
  list(POP_FRONT packages component package)
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
  file(GLOB pages ${share}/man/man1/*.1)
  if(pages)
    compress(${pages})
  endif()
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(REMOVE ${share}/doc/tofn/LICENSE)  # `copyright` names it
  file(READ ${CMAKE_CURRENT_LIST_DIR}/copyright copyright)
  if(NOT CPACK_TOFN_HOLDS_CHARTS)
    string(REGEX REPLACE "\nFiles: chart.*" "" copyright "${copyright}")
  endif()
  file(WRITE ${share}/doc/${package}/copyright "${copyright}")
  file(WRITE ${share}/doc/${package}/changelog
    "tofn (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Built from ${CPACK_TOFN_COMMIT}; its history says what changed.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${day}\n")
  compress(${share}/doc/${package}/changelog)
  # CPack calls ldconfig from scripts of its own, where Debian now has a trigger: both do.
  file(GLOB_RECURSE libraries ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/lib/*.so.*)
  if(libraries)
    file(WRITE ${share}/lintian/overrides/${package}
      "${package}: lacks-ldconfig-trigger *\n${package}: maintscript-calls-ldconfig *\n")
  endif()
  file(CHMOD ${share}/doc/${package}/copyright ${share}/doc/${package}/changelog.gz
    PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endwhile()
