Write-Host "the class's own words"
